/** Names and texts in SQL statements: always quoted, so that none is anything but a name or a text. */

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table or function in its schema, never searched for. */
export function qualifyName(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** A text where SQLite takes no parameter. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
