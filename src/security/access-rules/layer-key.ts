/** Keys of layer rules: `workspace.layer.mode`, such as `topp.states.r`. */
import { problem } from '../../lib/problem.ts';
import { printable } from './printable.ts';

/** Every workspace, or every layer. */
export const ANY = '*';

export type AccessMode = 'read' | 'write' | 'admin';

export interface LayerKey {
  readonly workspace: string;
  readonly layer: string;
  readonly mode: AccessMode;
}

const modes: Readonly<Record<string, AccessMode>> = { r: 'read', w: 'write', a: 'admin' };
const letters: Readonly<Record<AccessMode, string>> = { read: 'r', write: 'w', admin: 'a' };

/** Names may hold dots; in a key such a dot is written `\.`, and a backslash is in no name. */
export function parseLayerKey(text: string): LayerKey {
  const parts = text.trim().split(/(?<!\\)\./);
  const [workspace = '', layer = '', letter = ''] = parts.map((part) => part.replaceAll('\\.', '.'));
  const mode = Object.hasOwn(modes, letter) ? modes[letter] : undefined;
  if (parts.length !== 3 || workspace === '' || layer === '') {
    throw malformed(text, "it must be '<workspace>.<layer>.<mode>', with a dot in a name written as '\\.'");
  }
  if (mode === undefined) {
    throw malformed(text, `the access mode '${printable(letter)}' is unknown; it must be r, w or a`);
  }
  if ([workspace, layer].some((name) => name.includes('\\') || name.includes('/') || !isPlainText(name))) {
    throw malformed(text, 'it holds a name that nothing can have');
  }
  if (workspace === ANY && layer !== ANY) {
    throw malformed(text, "a rule for all workspaces must be for all layers: '*.*.<mode>'");
  }
  if (mode === 'admin' && layer !== ANY) {
    throw malformed(text, "a workspace is administered as a whole: '<workspace>.*.a'");
  }
  return { workspace, layer, mode };
}

export function printLayerKey({ workspace, layer, mode }: LayerKey): string {
  return `${escapeDots(workspace)}.${escapeDots(layer)}.${letters[mode]}`;
}

/** Everything first, then by workspace and layer; reading before writing before administering. */
export function compareLayerKeys(a: LayerKey, b: LayerKey): number {
  return (
    compareNames(a.workspace, b.workspace) ||
    compareNames(a.layer, b.layer) ||
    'rwa'.indexOf(letters[a.mode]) - 'rwa'.indexOf(letters[b.mode])
  );
}

function compareNames(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a === ANY || (b !== ANY && a < b) ? -1 : 1;
}

function escapeDots(name: string): string {
  return name.replaceAll('.', '\\.');
}

/** Whether text can be part of a name: no control characters, no blanks around it. */
export function isPlainText(text: string): boolean {
  return text.trim() === text && !/\p{Cc}|[\u2028\u2029\ufffe\uffff]/u.test(text) && text.isWellFormed();
}

function malformed(key: string, reason: string) {
  return problem('rule-malformed', { key: printable(key), reason });
}
