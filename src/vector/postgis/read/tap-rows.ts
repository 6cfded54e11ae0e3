/**
 * Takes the rows out of what a database says on a connection, before the driver makes texts and objects of them. All else
 * goes on to the driver, message by message, which so knows how its connection stands.
 */
import type { Duplex } from 'node:stream';

/** What a row is among the messages of the database; each is a letter, a length that counts itself, and that much. */
const DATA_ROW = 'D'.charCodeAt(0);
const LENGTH_AT = 1;
const HEAD_BYTES = 5;

interface RowTapHandlers {
  /** A row, from behind its head on; the bytes are others after the call. */
  onRow(bytes: Buffer, view: DataView, start: number): void;
  /** All rows that have come so far were told. */
  onPaused(): void;
}

/** Tells how to end it; the driver has its connection back then. */
export function tapRows(stream: Duplex, { onRow: row, onPaused: paused }: RowTapHandlers): () => void {
  const drivers = stream.listeners('data') as ((bytes: Buffer) => void)[];
  let isTapped = true;
  // Of a message that is not whole yet, and how much of it is needed to go on.
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = HEAD_BYTES;

  const forwardBytes = (bytes: Buffer): void => {
    for (const driver of drivers) driver.call(stream, bytes);
  };

  const read = (received: Buffer): void => {
    pieces.push(received);
    heldBytes += received.length;
    if (heldBytes < neededBytes) return;
    const bytes = pieces.length === 1 ? received : Buffer.concat(pieces, heldBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    neededBytes = HEAD_BYTES;
    while (isTapped && at + HEAD_BYTES <= bytes.length) {
      const end = at + LENGTH_AT + view.getUint32(at + LENGTH_AT);
      if (end > bytes.length) {
        neededBytes = end - at;
        break;
      }
      if (bytes[at] === DATA_ROW) row(bytes, view, at + HEAD_BYTES);
      else forwardBytes(bytes.subarray(at, end));
      at = end;
    }
    const rest = bytes.subarray(at);
    pieces = rest.length === 0 ? [] : [rest];
    heldBytes = rest.length;
    if (!isTapped && rest.length > 0) forwardBytes(rest);
    paused();
  };

  for (const driver of drivers) stream.off('data', driver);
  stream.on('data', read);
  return () => {
    if (!isTapped) return;
    isTapped = false;
    stream.off('data', read);
    for (const driver of drivers) stream.on('data', driver);
  };
}
