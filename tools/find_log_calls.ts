import ts from "npm:typescript@5.9.3";

/** An event as a place in the source makes it. */
export interface LogCall {
  /** Its name. */
  readonly event: string;
  /** Names of its fields, so far as they are written in place. */
  readonly fields: readonly string[];
}

/** Finds the events that a file makes: every object with a literal `event` and a `level`. */
export function findLogCalls(text: string): readonly LogCall[] {
  const calls: LogCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const event = propertyOf(node, "event");
      if (event !== undefined && ts.isStringLiteral(event) && hasProperty(node, "level")) {
        calls.push({ event: event.text, fields: namesOf(propertyOf(node, "fields")) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true));
  return calls;
}

function hasProperty(node: ts.ObjectLiteralExpression, name: string): boolean {
  return node.properties.some((property) => property.name?.getText() === name);
}

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = node.properties.find((property) => property.name?.getText() === name);
  return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/** Also those of objects that are spread in place under a condition. */
function namesOf(node: ts.Node | undefined): readonly string[] {
  if (node === undefined) return [];
  if (!ts.isObjectLiteralExpression(node)) {
    const names: string[] = [];
    ts.forEachChild(node, (child) => void names.push(...namesOf(child)));
    return names;
  }
  return node.properties.flatMap((property) =>
    ts.isSpreadAssignment(property)
      ? namesOf(property.expression)
      : property.name !== undefined && ts.isIdentifier(property.name)
      ? [property.name.text]
      : []
  );
}
