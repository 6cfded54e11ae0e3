/** The way to send a statement that holds words of clients: the database itself refuses a second one behind it. */
export const oneStatement = { queryMode: 'extended' } as const;
