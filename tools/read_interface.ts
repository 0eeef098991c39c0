import ts from "npm:typescript@5.9.3";

/** One property of an interface, as its source says. */
export interface Property {
  /** Its name. */
  readonly name: string;
  /** Its type, as written. */
  readonly type: string;
  /** Whether it may be left out. */
  readonly isOptional: boolean;
  /** Its doc comment, on one line. */
  readonly comment: string;
  /** The properties of its type, where that is an object written in place. */
  readonly members: readonly Property[];
}

/**
 * Reads the properties of an interface, with their doc comments.
 *
 * @param text Source of the file.
 * @param name Name of the interface.
 * @throws {Error} when the file declares no such interface.
 */
export function readInterface(text: string, name: string): readonly Property[] {
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const found = source.statements.find((node) =>
    ts.isInterfaceDeclaration(node) && node.name.text === name
  );
  if (found === undefined) throw new Error(`Cannot read interface ${name}: the file has none`);
  return readMembers((found as ts.InterfaceDeclaration).members);
}

function readMembers(members: ts.NodeArray<ts.TypeElement>): readonly Property[] {
  return members.filter(ts.isPropertySignature).map((node) => ({
    name: ts.isStringLiteral(node.name) ? node.name.text : node.name.getText(),
    type: oneLine(node.type?.getText() ?? ""),
    isOptional: node.questionToken !== undefined,
    comment: oneLine(commentOf(node)),
    members: node.type !== undefined && ts.isTypeLiteralNode(node.type)
      ? readMembers(node.type.members)
      : [],
  }));
}

function commentOf(node: ts.Node): string {
  return ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "").join(" ");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
