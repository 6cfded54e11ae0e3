/** Text from a client as it can be shown in a message. */

const SHOWN_CHARACTERS = 200;

export function printable(text: string): string {
  const shown = text.toWellFormed().replace(/\p{Cc}/gu, '\ufffd');
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown;
}
