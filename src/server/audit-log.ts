/**
 * The audit log: JSON lines about sign-ins, denied requests, previews and changes. Repeated failures and denials from one address
 * are counted instead, so that a flood of requests does not fill the disk.
 */
import type { AuditEntry } from '../http/context/app-options.ts';
import type { SignInAttempt } from '../security/sign-in-attempt.ts';
import { LineWriter, type LineWriterOptions } from './line-writer.ts';

export type AuditEvent = AuditEntry | ({ readonly event: 'sign-in' } & SignInAttempt);

export interface AuditLogOptions extends LineWriterOptions {
  readonly clock: () => number;
}

/** Further lines of one kind and address within a minute are only counted. */
const LINES_PER_MINUTE = 20;
const WINDOW_MS = 60_000;

/** Beyond this number of addresses within a minute, their lines are counted together. */
const MAX_ADDRESSES = 1_000;
const OTHER_ADDRESSES = 'other addresses';

/** Clients choose the names of users and paths. */
const MAX_CHARACTERS = 500;

interface Window {
  readonly event: string;
  readonly result: string;
  readonly address: string;
  lines: number;
  omitted: number;
}

export class AuditLog {
  readonly #clock: () => number;
  readonly #writer: LineWriter;
  readonly #windows = new Map<string, Window>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AuditLogOptions) {
    this.#clock = options.clock;
    this.#writer = new LineWriter(options);
  }

  readonly write = (event: AuditEvent): void => {
    if (isLimited(event) && !this.#admit(event)) return;
    this.#writeLine(event);
  };

  get droppedLines(): number {
    return this.#writer.droppedLines;
  }

  /** Writes the remaining lines and counts. */
  async close(): Promise<void> {
    this.#endWindows();
    await this.#writer.close();
  }

  /** Counts the line, and returns whether it is written. */
  #admit(event: AuditEvent): boolean {
    const result = describeResult(event);
    const key = `${event.event} ${result} ${event.address}`;
    const isKnown = this.#windows.has(key) || this.#windows.size < MAX_ADDRESSES;
    const address = isKnown ? event.address : OTHER_ADDRESSES;
    const name = `${event.event} ${result} ${address}`;
    const window = this.#windows.get(name) ?? { event: event.event, result, address, lines: 0, omitted: 0 };
    this.#windows.set(name, window);
    this.#timer ??= setTimeout(() => this.#endWindows(), WINDOW_MS).unref();
    if (window.lines < LINES_PER_MINUTE) {
      window.lines += 1;
      return true;
    }
    window.omitted += 1;
    return false;
  }

  #endWindows(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { event, result, address, omitted } of this.#windows.values()) {
      if (omitted > 0) this.#writeLine({ event: 'omitted', of: event, result, address, count: omitted });
    }
    this.#windows.clear();
  }

  #writeLine(fields: object): void {
    if (!this.#writer.admit()) return;
    const time = new Date(this.#clock()).toISOString();
    const cut = (_: string, value: unknown) =>
      typeof value === 'string' && value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
    this.#writer.write(`${escapeLineBreaks(JSON.stringify({ time, ...fields }, cut))}\n`);
  }
}

/** JSON permits these characters in a text, but some programs end a line at them. */
function escapeLineBreaks(json: string): string {
  return json.replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Anyone can cause failures and denials; changes and successful sign-ins need valid credentials. A previewed map is
 * hundreds of requests.
 */
function isLimited(event: AuditEvent): boolean {
  return (
    event.event === 'denied' || event.event === 'view-as' || (event.event === 'sign-in' && event.result !== 'success')
  );
}

function describeResult(event: AuditEvent): string {
  if (event.event === 'sign-in') return event.result;
  // Previews by different users must not count as one.
  return event.event === 'denied' ? String(event.status) : event.event === 'view-as' ? event.user : 'done';
}
