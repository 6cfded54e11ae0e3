/** The end of a channel through which a thread reads remote files. */
import type { MessagePort } from 'node:worker_threads';

export interface RangeChannel {
  /** Must be transferred to the thread. */
  readonly port: MessagePort;
  /** One number: 1 when a reply has arrived. */
  readonly arrival: SharedArrayBuffer;
}
