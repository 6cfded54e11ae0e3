/**
 * Intercepts rows on a connection before the driver creates texts and objects. All other messages are passed on to
 * the driver, so that it keeps track of the connection state.
 */
import type { Duplex } from 'node:stream';

/** The type of row messages; each message is a type byte, a length that includes itself, and the content. */
const DATA_ROW = 'D'.charCodeAt(0);
const LENGTH_AT = 1;
const HEAD_BYTES = 5;

interface RowTapHandlers {
  /** Called for a row after its header; the bytes are reused after the call. */
  onRow(bytes: Buffer, view: DataView, start: number): void;
  /** Called when all received rows were delivered. */
  onPaused(): void;
}

/** Returns a function that ends it and returns the connection to the driver. */
export function tapRows(stream: Duplex, { onRow: row, onPaused: paused }: RowTapHandlers): () => void {
  const drivers = stream.listeners('data') as ((bytes: Buffer) => void)[];
  let isTapped = true;
  // The parts of an incomplete message, and the bytes needed to continue.
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
