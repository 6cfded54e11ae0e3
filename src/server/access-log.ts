/** The access log: one line per request in the combined format of web servers, or as JSON, in a file of its own. */
import type { AccessEntry } from '../http/context/app-options.ts';
import { redactTokens } from '../lib/identity/credentials.ts';
import { isSecretName } from '../lib/identity/secret.ts';
import { LineWriter, type LineWriterOptions } from './line-writer.ts';

export type AccessLogFormat = 'combined' | 'json';

export interface AccessLogOptions extends LineWriterOptions {
  readonly format: AccessLogFormat;
  readonly clock: () => number;
}

export class AccessLog {
  readonly #options: AccessLogOptions;
  readonly #writer: LineWriter;

  constructor(options: AccessLogOptions) {
    this.#options = options;
    this.#writer = new LineWriter(options);
  }

  readonly write = (entry: AccessEntry): void => {
    // Formatting a line that is dropped would only take time.
    if (!this.#writer.admit()) return;
    this.#writer.write(formatAccessLine(entry, this.#options.format, new Date(this.#options.clock())));
  };

  get droppedLines(): number {
    return this.#writer.droppedLines;
  }

  /** Writes the remaining lines. */
  async close(): Promise<void> {
    await this.#writer.close();
  }
}

export function formatAccessLine(entry: AccessEntry, format: AccessLogFormat, time: Date): string {
  const [target, referrer] = [redactAddress(entry.target), redactAddress(entry.referrer)];
  if (format === 'json') {
    return `${JSON.stringify({ time: time.toISOString(), ...entry, target, referrer })}\n`;
  }
  const { client, user, method, httpVersion, status, bytes, agent } = entry;
  const request = `${method} ${target} HTTP/${httpVersion}`;
  return `${quoteName(client)} - ${quoteName(user)} [${formatTime(time)}] "${escapeText(request)}" ${status} ${bytes} "${escapeText(referrer)}" "${escapeText(agent)}"\n`;
}

/** Removes the user and password of an address, and replaces the values of parameters whose names suggest a secret. */
function redactAddress(address: string): string {
  const target = address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
  const start = target.search(/[?#]/);
  if (start < 0) return redactTokens(target);
  const parts = target.slice(start + 1).split(/([&#])/);
  return redactTokens(target.slice(0, start + 1) + parts.map(redactParameter).join(''));
}

/** Reads names and values as the services do, because any letter can be percent-encoded. */
function redactParameter(written: string): string {
  const [sent] = new URLSearchParams(written);
  if (sent === undefined) return written;
  const [name, value] = sent;
  const [writtenName = ''] = written.split('=', 1);
  if (name.toLowerCase() === 'authkey') return `${writtenName}=(redacted)`;
  if (isSecretName(name)) return `${writtenName}=***`;
  if (!listNames.has(name.toLowerCase())) return written;
  const redacted = redactList(value);
  return redacted === value ? written : `${writtenName}=${encodeURI(redacted).replaceAll(/[&#]/g, encodeURIComponent)}`;
}

/** Parameters whose values are lists such as `name:value;name:value`. */
const listNames: ReadonlySet<string> = new Set(['viewparams', 'env']);

/** Lists of several layers are separated by commas; a secret can contain one, so the rest of its pair is replaced. */
function redactList(list: string): string {
  const pairs = list.split(/(?<!\\);/);
  return pairs.map(redactPair).join(';');
}

function redactPair(pair: string): string {
  for (const match of pair.matchAll(/(?:^|,)([^:=,]*)[:=]/g)) {
    if (isSecretName((match[1] ?? '').trim())) return `${pair.slice(0, match.index + match[0].length)}***`;
  }
  return pair;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `17/Nov/2026:21:55:28 +0000` */
function formatTime(time: Date): string {
  const [date = '', clock = ''] = time.toISOString().split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return `${day}/${months[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}

/** User names can contain spaces, which would shift the fields. */
function quoteName(name: string): string {
  return escapeText(name).replaceAll(/[\s[\]]/g, '_');
}

/** Escapes quotes, backslashes and control characters, as web servers do. */
function escapeText(text: string): string {
  return text.replaceAll(
    /["\\\p{Cc}\u2028\u2029]/gu,
    (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
