/** The access log: one line per request in the combined format of web servers, or as JSON, in a file of its own. */
import { appendFile } from 'node:fs/promises';
import type { AccessEntry } from '../http/context/app-options.ts';
import { isSecretName } from '../lib/identity/secret.ts';

export type AccessLogFormat = 'combined' | 'json';

export interface AccessLogOptions {
  readonly format: AccessLogFormat;
  readonly clock: () => number;
  /** Appends lines to the log. */
  readonly append: (lines: string) => Promise<void>;
  /** Called for the first of several failures in a row. */
  readonly onError: (reason: unknown) => void;
}

/** Lines wait this long, so that a busy server writes many at once. */
const FLUSH_MS = 100;

/** If the disk does not accept lines, later ones are dropped instead of filling the memory. */
const MAX_WAITING_CHARACTERS = 8_388_608;

/** Opens the file for each write, so that log rotation needs no signal. */
export function appendToFile(file: string): AccessLogOptions['append'] {
  return (lines) => appendFile(file, lines, { mode: 0o640 });
}

export class AccessLog {
  readonly #options: AccessLogOptions;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: AccessLogOptions) {
    this.#options = options;
  }

  readonly write = (entry: AccessEntry): void => {
    if (this.#waiting.length > MAX_WAITING_CHARACTERS) return;
    this.#waiting += formatAccessLine(entry, this.#options.format, new Date(this.#options.clock()));
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref();
  };

  /** Writes the remaining lines. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#append());
  }

  async #append(): Promise<void> {
    const lines = this.#waiting;
    if (lines === '') return;
    this.#waiting = '';
    try {
      await this.#options.append(lines);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#options.onError(error);
      this.#hasFailed = true;
    }
  }
}

export function formatAccessLine(entry: AccessEntry, format: AccessLogFormat, time: Date): string {
  const target = redactQuery(entry.target);
  if (format === 'json') {
    return `${JSON.stringify({ time: time.toISOString(), ...entry, target })}\n`;
  }
  const { client, user, method, httpVersion, status, bytes, referrer, agent } = entry;
  const request = `${method} ${target} HTTP/${httpVersion}`;
  return `${client} - ${quoteUser(user)} [${formatTime(time)}] "${escapeText(request)}" ${status} ${bytes} "${escapeText(redactQuery(referrer))}" "${escapeText(agent)}"\n`;
}

/** Replaces the values of query parameters whose names suggest a secret. */
function redactQuery(target: string): string {
  const start = target.indexOf('?');
  if (start < 0) return target;
  const pairs = target.slice(start + 1).split('&');
  const redacted = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return isSecretName(decodeName(name)) ? `${name}=***` : pair;
  });
  return `${target.slice(0, start)}?${redacted.join('&')}`;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `17/Nov/2026:21:55:28 +0000` */
function formatTime(time: Date): string {
  const [date = '', clock = ''] = time.toISOString().split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return `${day}/${months[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}

/** User names can contain spaces, which would shift the fields. */
function quoteUser(user: string): string {
  return escapeText(user).replaceAll(/[\s[\]]/g, '_');
}

/** Escapes quotes, backslashes and control characters, as web servers do. */
function escapeText(text: string): string {
  return text.replaceAll(
    /["\\\p{Cc}\u2028\u2029]/gu,
    (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
