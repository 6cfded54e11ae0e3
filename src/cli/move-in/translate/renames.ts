/** New names of resources. */
import { MoveInError } from '../report/move-in-error.ts';

const kinds = ['workspace', 'style', 'store', 'layer', 'group', 'user', 'role'] as const;

export type RenamedKind = (typeof kinds)[number];

export class Renames {
  readonly #names = new Map<string, string>();

  /** `OLD=NEW` renames a workspace, `KIND:OLD=NEW` something else. */
  constructor(texts: readonly string[] = []) {
    for (const text of texts) {
      const { kind, from, to } = parseRename(text);
      const key = `${kind}:${from}`;
      if (this.#names.has(key)) {
        throw new MoveInError('rename-conflict', `--rename is given twice for '${from}'.`);
      }
      this.#names.set(key, to);
    }
  }

  /** The new name; names of the source are qualified with the workspace of the source. */
  get(kind: RenamedKind, name: string, workspace?: string | null): string {
    if (this.#names.size === 0) return name;
    const qualified = workspace == null ? name : `${workspace}:${name}`;
    const found = this.#names.get(`${kind}:${qualified}`);
    // The new name can repeat the workspace.
    return found === undefined ? name : found.slice(workspace == null ? 0 : found.indexOf(':') + 1);
  }
}

function parseRename(text: string): { readonly kind: RenamedKind; readonly from: string; readonly to: string } {
  const [, written, from = '', to = ''] =
    /^(?:(workspace|style|store|layer|group|user|role):)?([^=]+)=(.+)$/s.exec(text) ?? [];
  const kind = kinds.find((each) => each === written) ?? 'workspace';
  if (from === '' || to === '') {
    throw new MoveInError(
      'option-invalid',
      `Invalid --rename '${text}'. Use OLD=NEW for a workspace, or KIND:OLD=NEW with a kind of ${kinds.join(', ')}.`,
    );
  }
  return { kind, from, to };
}
