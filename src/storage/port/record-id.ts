/** The ids of records. */

/** `stem` is unique to the transaction that creates the record. */
export function createRecordId(kind: string, stem: string, ordinal: number): string {
  return `${kind}-${stem}-${ordinal}`;
}

/** Whether a text has the form of an id. Other texts can have it too. */
export function isRecordId(text: string): boolean {
  return /^[a-z]+-[\da-z]+(?:-\d+)?-\d+$/i.test(text);
}
