/** Encrypts the secrets of all records with the current data key, in changes of bounded size. */
import type { Principal } from '../../lib/identity/principal.ts';
import { revealSecret, toSecret } from '../../lib/identity/secret.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';
import type { JsonObject, KindRules } from '../../storage/port/port.ts';
import { SealBroken, type Sealer } from '../core/sealer.ts';
import { listSealedTexts, replaceSealedTexts } from './sealed-fields.ts';

/** One change encrypts this many records again, within a few milliseconds. */
const RECORDS_PER_CHANGE = 100;

export interface ResealOptions {
  readonly catalog: Catalog;
  readonly sealer: Sealer;
  readonly recordKinds: Iterable<KindRules>;
  readonly principal: Principal;
}

/** Returns the number of records whose secrets were encrypted again. Secrets of unknown keys stay as they are. */
export async function resealSecrets({ catalog, sealer, recordKinds, principal }: ResealOptions): Promise<number> {
  let count = 0;
  for (const rules of recordKinds) {
    if (!hasSecrets(rules)) continue;
    const outdated: string[] = [];
    for await (const piece of catalog.readAll(createRawKind(rules.kind))) {
      for (const record of piece) if (isOutdated(record, rules, sealer)) outdated.push(record.id);
    }
    for (let start = 0; start < outdated.length; start += RECORDS_PER_CHANGE) {
      const ids = outdated.slice(start, start + RECORDS_PER_CHANGE);
      count += await catalog.change(principal, 'encrypt secrets with the current data key', (transaction) =>
        resealRecords(transaction, ids, rules, sealer),
      );
    }
  }
  return count;
}

/** Most kinds have none, and some of them have many records. */
function hasSecrets(rules: KindRules): boolean {
  const probe = {};
  return rules.mask(probe) !== probe;
}

type AnyRecord = RecordBase & { readonly kind: string };

function isOutdated(record: AnyRecord, rules: KindRules, sealer: Sealer): boolean {
  const texts = listSealedTexts(record as unknown as JsonObject, rules);
  return texts.some((text) => reseal(text, sealer) !== text);
}

/** Reads each record again: another request may have changed it. */
async function resealRecords(
  { stored }: CatalogTransaction,
  ids: readonly string[],
  rules: KindRules,
  sealer: Sealer,
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const record = await stored.get(id);
    if (record === undefined || record.kind !== rules.kind) continue;
    const body = replaceSealedTexts(record.body, rules, (text) => reseal(text, sealer));
    if (body === record.body) continue;
    const { kind, parent, name } = record;
    await stored.update(id, { kind, parent, name, body, ...rules.index({ parent, name, body }) });
    count += 1;
  }
  return count;
}

function reseal(text: string, sealer: Sealer): string {
  const sealed = toSecret(text);
  if (sealer.isCurrent(sealed)) return text;
  try {
    return revealSecret(sealer.seal(sealer.open(sealed)));
  } catch (error) {
    // The doctor reports it.
    if (error instanceof SealBroken) return text;
    throw error;
  }
}

/** A record of any kind; the rules of its kind are applied separately. */
function createRawKind(kind: string): RecordKind<AnyRecord> {
  return { kind, keys: {}, secrets: {} };
}
