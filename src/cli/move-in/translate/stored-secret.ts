/** A secret of a store or provider, from the source or from `--secrets`. */
import type { Json } from '../../../lib/json/value.ts';
import type { Subject } from '../report/report.ts';
import type { Move } from './move.ts';

export interface StoredSecret {
  readonly path: string;
  readonly field: string;
  readonly stored: string | undefined;
  readonly subject: Subject;
}

/** Returns undefined without a secret, and for one that cannot be read. */
export function readSecret(move: Move, { path, field, stored, subject }: StoredSecret): Json | undefined {
  if (stored === undefined || stored === '' || move.secrets.listGiven(path).includes(field)) {
    return move.secrets.write(path, field, undefined);
  }
  const [, name] = /^\$\{([A-Za-z_][A-Za-z0-9_.]*)\}$/.exec(stored) ?? [];
  if (name !== undefined) {
    const value = move.secrets.readVariable(name);
    if (value !== undefined) return value;
  }
  const decoded = move.passwords.decode(stored);
  if ('password' in decoded) return move.secrets.write(path, field, decoded.password);
  move.report.add(
    'password-unreadable',
    subject,
    `The field '${field}' is not imported: ${decoded.reason}.`,
    `Pass it with --secrets: {"${path}": {"${field}": "…"}}.`,
  );
  return undefined;
}
