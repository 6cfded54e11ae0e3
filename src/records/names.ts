/** Which names a resource may have. They end up in paths, links and file names, so the rule is one for all. */
import { problem } from '../lib/problem.ts';

/** What most file systems give a name; names become folders. */
export const MAX_NAME_BYTES = 200;

export interface NameRule {
  /** What is being named, for the message: `workspace`. */
  readonly what: string;
  /** The field to blame. */
  readonly field: string;
  /** Characters this kind of name may not hold beside the common ones. */
  readonly forbidden?: readonly string[];
  readonly reserved?: readonly string[];
}

/** Endings that name a format in a path; `default.xml` must stay the default workspace in XML. */
const formatEndings = /\.(?:xml|json|html)$/i;

export function checkName(name: string, rule: NameRule): void {
  const reason = objection(name, rule);
  if (reason !== undefined) {
    throw problem('name-illegal', { what: rule.what, name: printableName(name), reason, field: rule.field });
  }
}

/** The name after a change: absent stays; what has a name keeps one. */
export function nameAfter(current: string, sent: string | null | undefined, rule: NameRule): string {
  if (sent === undefined || sent === current) {
    return current;
  }
  if (sent === null || sent === '') {
    throw problem('name-emptied', { what: rule.what, field: rule.field });
  }
  checkName(sent, rule);
  return sent;
}

function objection(name: string, rule: NameRule): string | undefined {
  if (name.trim() === '') {
    return 'it is empty';
  }
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return `it is longer than ${MAX_NAME_BYTES} bytes`;
  }
  if (!name.isWellFormed()) {
    return 'it is not valid Unicode text';
  }
  if (/\p{Cc}|[\u2028\u2029\ufffe\uffff]/u.test(name)) {
    return 'it holds a control character';
  }
  const forbidden = ['/', '\\', ...(rule.forbidden ?? [])].find((character) => name.includes(character));
  if (forbidden !== undefined) {
    return `it holds the character ${forbidden}`;
  }
  if (name !== name.trim()) {
    return 'it begins or ends with a space';
  }
  if (name.endsWith('.')) {
    return 'it ends with a dot';
  }
  if (/^\.+/.test(name)) {
    return 'it begins with a dot';
  }
  if (rule.reserved?.includes(name.replace(formatEndings, '').toLowerCase())) {
    return 'it is reserved';
  }
  return undefined;
}

/** The name as it can be shown in a message, whatever a client sent. */
export function printableName(name: string): string {
  const shown = name.toWellFormed().replace(/\p{Cc}/gu, '\ufffd');
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
