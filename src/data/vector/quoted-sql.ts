/** Names and texts in SQL statements: always quoted, so that none is anything but a name or a text. */

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table or function in its schema, never searched for. */
export function qualified(schema: string, name: string): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

/** A text where SQLite takes no parameter. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
