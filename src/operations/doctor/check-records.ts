/** Checks the files, secrets and references of all records in one pass. */
import { findUnknownOffers, findUnknownSubsets } from '../../catalog/grid-sets/offered-names.ts';
import { GRID_SETS } from '../../catalog/kinds/grid-set.ts';
import { linkedKinds } from '../../catalog/kinds/references.ts';
import { serviceSettingsKind } from '../../catalog/kinds/settings-records.ts';
import type { Unverified } from '../../catalog/kinds/unverified.ts';
import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { toSecret } from '../../lib/identity/secret.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { StoredFiles } from '../../records/files/files.ts';
import { createUnionKind, type RecordBase, type RecordKind } from '../../records/record.ts';
import { toAnyLinkedKind } from '../../records/references.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import { listSealedTexts } from '../../security/keystore/sealed-fields.ts';
import { userKind } from '../../security/users/user.ts';
import { isHash } from '../../storage/blobs/port.ts';
import type { JsonObject, KindRules } from '../../storage/port/port.ts';
import { createFileCheck, type FileCheck } from './check-files.ts';
import type { Check, Findings, RecordPath } from './diagnosis.ts';

type AnyRecord = RecordBase & { readonly kind: string; readonly unverified?: Unverified };

export interface RecordsCheckInput {
  readonly catalog: CatalogReader;
  readonly kept: StoredFiles;
  readonly sealer: Sealer;
  readonly recordKinds: ReadonlyMap<string, KindRules>;
}

const linkedKindsByName = new Map([...linkedKinds, toAnyLinkedKind(userKind)].map((kind) => [kind.kind, kind]));

/** How to verify resources that were stored without verification. */
const UNVERIFIED_REMEDY =
  'They are stored as their configuration describes them. When their data is available, reset their store or save them again.';

export async function checkRecords(
  { catalog, kept, sealer, recordKinds }: RecordsCheckInput,
  findings: Findings,
  { pace, signal }: { readonly pace: YieldIfDue; readonly signal: AbortSignal },
): Promise<readonly Check[]> {
  const places = createRecordPaths(catalog, recordKinds);
  const files = createFileCheck(kept);
  const references = createReferenceCheck(places.exists);
  for (const rules of recordKinds.values()) {
    for await (const piece of catalog.readAll(createRawKind(rules.kind))) {
      for (const record of piece) {
        signal.throwIfAborted();
        await pace();
        if (findings.selects !== undefined && !findings.selects(await places.getPath(record))) continue;
        const found = [
          ...(await findBrokenFiles(record, rules, files)).map((each) => ['files', each] as const),
          ...findBrokenSecrets(record, rules, sealer).map((each) => ['keystore', each] as const),
          ...(await references.look(record)).map((each) => ['references', each] as const),
        ];
        if (record.unverified !== undefined) {
          findings.add('unverified', { place: await places.getPath(record), ...record.unverified });
        }
        for (const [check, wrong] of found) findings.add(check, { place: await places.getPath(record), ...wrong });
      }
    }
  }
  const { settings, names } = await findUnknownOffers(catalog);
  for (const name of settings === undefined ? [] : names) {
    findings.add('references', {
      place: [{ kind: serviceSettingsKind.kind, name: 'wmts' }],
      code: 'reference-dangling',
      message: `The setting '${GRID_SETS}' of the service wmts refers to the unknown grid set '${name}'. Create it, or remove it from the setting.`,
    });
  }
  for (const { tileLayer, name } of await findUnknownSubsets(catalog)) {
    findings.add('references', {
      place: await places.getPath(tileLayer),
      code: 'reference-dangling',
      message: `The tile settings refer to the unknown grid set '${name}'. Create it, or remove it from the settings.`,
    });
  }
  const { files: checked, read } = files.getCounts();
  const unverified = findings.count('unverified') === 0 ? [] : [findings.summarize('unverified', UNVERIFIED_REMEDY)];
  return [
    ...unverified,
    findings.summarize(
      'files',
      `${checked} ${checked === 1 ? 'file was' : 'files were'} checked, ${read} of them completely.`,
    ),
    findings.summarize(
      'references',
      `${references.count()} ${references.count() === 1 ? 'reference was' : 'references were'} checked.`,
    ),
  ];
}

interface RecordProblem {
  readonly code: string;
  readonly message: string;
}

async function findBrokenFiles(
  record: AnyRecord,
  rules: KindRules,
  files: FileCheck,
): Promise<readonly RecordProblem[]> {
  const { parent, name } = record;
  const broken: RecordProblem[] = [];
  const named = rules.index({ parent, name, body: toRecordBody(record) }).files ?? [];
  // Granule versions are stored in a database.
  for (const file of named.filter(isHash)) {
    for (const { code, path, state } of await files.check(file)) {
      const what = path === undefined ? 'The content' : `The file '${path}'`;
      broken.push({ code, message: `${what} of the ${record.kind} '${name}' ${state}.` });
    }
  }
  return broken;
}

function findBrokenSecrets(record: AnyRecord, rules: KindRules, sealer: Sealer): readonly RecordProblem[] {
  const what = `A secret of the ${record.kind} '${record.name}'`;
  const sealed = listSealedTexts(toRecordBody(record), rules);
  if (!sealed.every((text) => canOpen(sealer, text))) {
    const message = `${what} cannot be decrypted with the keystore. Set the secret again.`;
    return [{ code: 'secret-unreadable', message }];
  }
  if (!sealed.every((text) => sealer.isCurrent(toSecret(text)))) {
    const message = `${what} is encrypted with a previous data key. Encrypt it again: graticule rotate-key secrets.`;
    return [{ code: 'secret-key-outdated', message }];
  }
  return [];
}

function canOpen(sealer: Sealer, text: string): boolean {
  try {
    sealer.open(toSecret(text));
    return true;
  } catch {
    return false;
  }
}

function createReferenceCheck(exists: (id: string) => Promise<boolean>) {
  let count = 0;
  return {
    count: () => count,
    async look(record: AnyRecord): Promise<readonly RecordProblem[]> {
      const dangling: RecordProblem[] = [];
      for (const { to, ids } of linkedKindsByName.get(record.kind)?.references ?? []) {
        // Records without an owner have no references.
        for (const id of ids(record).filter((each) => each !== '')) {
          count += 1;
          if (await exists(id)) continue;
          const message = `The ${record.kind} '${record.name}' refers to a missing ${to} (${id}).`;
          dangling.push({ code: 'reference-dangling', message });
        }
      }
      return dangling;
    },
  };
}

/** The body of a record has the fields of its kind by construction. */
function toRecordBody(record: AnyRecord): JsonObject {
  return record as unknown as JsonObject;
}

/** A record of any kind; the caller applies the rules of the kind. */
function createRawKind(kind: string): RecordKind<AnyRecord> {
  return { kind, keys: {}, secrets: {} };
}

export interface RecordPaths {
  getPath(record: AnyRecord): Promise<RecordPath>;
  /** Each id is looked up once, because many layers refer to the same style. */
  exists(id: string): Promise<boolean>;
}

export function createRecordPaths(catalog: CatalogReader, recordKinds: ReadonlyMap<string, KindRules>): RecordPaths {
  const anyKind = createUnionKind([...recordKinds.keys()].map(createRawKind));
  const known = new Map<string, boolean>();
  const parents = new Map<string, Promise<RecordPath>>();
  const getPath = async ({ kind, name, parent }: AnyRecord): Promise<RecordPath> => [
    ...(parent === null ? [] : await getPathById(parent)),
    { kind, name },
  ];
  /** Many records have the same parent. */
  const getPathById = (id: string): Promise<RecordPath> => {
    const path = parents.get(id) ?? catalog.get(anyKind, id).then((record) => (record ? getPath(record) : []));
    parents.set(id, path);
    return path;
  };
  return {
    getPath,
    async exists(id) {
      const before = known.get(id);
      if (before !== undefined) return before;
      const isThere = (await catalog.get(anyKind, id)) !== undefined;
      known.set(id, isThere);
      return isThere;
    },
  };
}
