import ts from "npm:typescript@5.9.3";

/** Something a rule may look at, with the line it stands on. */
export interface Mention {
  /** The module specifier, the string's value, or the identifier. */
  readonly text: string;
  /** The line, from 1. */
  readonly line: number;
}

/** What one source file says that the rules of the rooms care about. */
export interface Source {
  /** Module specifiers: imports, re-exports, `import()` calls and `import("…")` types. */
  readonly imports: readonly Mention[];
  /** String literals that are no module specifier. */
  readonly strings: readonly Mention[];
  /** Identifiers that are not the name of a property, unless one of `globalThis`. */
  readonly names: readonly Mention[];
}

/** Parses a TypeScript file. Comments are not read, so documentation may say anything. */
export function readSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Mention[] = [];
  const strings: Mention[] = [];
  const names: Mention[] = [];
  const mention = (node: ts.Node, text: string): Mention => ({
    text,
    line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
  });
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) {
      (isSpecifier(node) ? imports : strings).push(mention(node, node.text));
    } else if (ts.isIdentifier(node) && !isPropertyName(node)) {
      names.push(mention(node, node.text));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { imports, strings, names };
}

function isSpecifier(node: ts.StringLiteralLike): boolean {
  const parent = node.parent;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isExternalModuleReference(parent)) return true;
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent);
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;
}

function isPropertyName(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) {
    return parent.name === node && parent.expression.getText() !== "globalThis";
  }
  if (ts.isQualifiedName(parent)) {
    return parent.right === node && parent.left.getText() !== "globalThis";
  }
  const named = ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) || ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) || ts.isAccessor(parent);
  return named && parent.name === node;
}
