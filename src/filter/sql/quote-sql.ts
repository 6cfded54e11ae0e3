/** Quotes names and texts in SQL statements, which prevents injection. */

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a name for MySQL, where it does not depend on `ANSI_QUOTES`. */
export function quoteNameWithBackticks(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** Qualifies a table or function with its schema, independent of the search path. */
export function qualifyName(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Quotes a text where SQLite does not support a parameter. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
