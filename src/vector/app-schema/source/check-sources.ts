/** Checks a mapping against its source stores: their types, tables and columns. */
import { Problem, problem } from '../../../lib/problems/problem.ts';
import type { ConnectionParameters } from '../../port/driver.ts';
import type { Mapping, SourceStore } from '../../port/mapping.ts';
import { checkParameters } from '../../port/parameters.ts';
import type { FeatureTypeDescription } from '../../port/port.ts';
import { createDiagnosticList, type Diagnostic, type DiagnosticList, formatExcerpt } from '../diagnostics.ts';
import { checkMapping, listTables } from '../read/check-mapping.ts';
import { listMappedTypes } from '../read/find-types.ts';
import { toTableAddress } from '../read/load-links.ts';
import type { TableAddress } from '../read/source-tables.ts';
import { formatTypeName, type MappedType } from '../read/type-plan.ts';
import type { SourceStores } from './source-stores.ts';

export interface SourceFindings {
  readonly complaints: readonly Diagnostic[];
  /** Checks that were not possible, as sentences. */
  readonly warnings: readonly string[];
  /** Stores that did not respond, by key; they can be available later. */
  readonly silent: ReadonlyMap<string, Problem>;
}

/** Problems about paths and hosts that the caller may not use, which are passed on unchanged. */
const deniedCodes: ReadonlySet<string> = new Set(['database-host-refused', 'path-refused', 'path-invalid']);

/** Stores that are checked concurrently; each opens a connection. */
const MAX_PARALLEL_STORES = 8;

interface StoreCheckResult {
  readonly tables: readonly {
    readonly address: TableAddress;
    readonly answer: FeatureTypeDescription | Problem | undefined;
  }[];
  readonly silence?: Problem;
}

/** All stores share `patienceMs`; those that have not responded by then are reported as silent. */
export async function checkSources(
  mappings: readonly Mapping[],
  stores: SourceStores,
  signal: AbortSignal,
  patienceMs: number,
): Promise<SourceFindings> {
  const complaints = createDiagnosticList();
  const isUsable = new Map<string, boolean>();
  for (const { file, stores: all } of mappings) {
    for (const store of all) {
      const isGood = checkKind(file, store, stores, complaints);
      isUsable.set(store.key, isGood);
      // Includes stores without mapped types, because clients can request their schemas.
      if (isGood) await stores.admit({ file, store });
    }
  }
  const tablesByStore = Map.groupBy(
    listTables(mappings).filter(({ store }) => isUsable.get(store) === true),
    ({ store }) => store,
  );
  const columns = new Map<string, readonly string[] | undefined>();
  const silent = new Map<string, Problem>();
  for (const [key, { tables, silence }] of await queryStores(tablesByStore, stores, signal, patienceMs)) {
    if (silence !== undefined) silent.set(key, silence);
    for (const { address, answer } of tables) {
      if (answer instanceof Problem) {
        const named = stores.findStore(key);
        const message = `The source data store '${formatExcerpt(named?.store.id ?? '')}' is unusable: ${answer.message}`;
        complaints.add(named?.file ?? '', named?.store.line ?? 1, message);
      } else if (answer === undefined) addTableDiagnostics(address, mappings, complaints);
      else {
        columns.set(
          formatTableKey(address),
          answer.attributes.map(({ name }) => name),
        );
      }
    }
  }
  return {
    complaints: [...complaints.list, ...checkMapping(mappings, (address) => columns.get(formatTableKey(address)))],
    warnings: [...silent].map(
      ([key, { message }]) =>
        `The source data store '${formatExcerpt(stores.findStore(key)?.store.id ?? '')}' of the mapping is unreachable, so its tables were not checked: ${message}`,
    ),
    silent,
  };
}

/** Results are in the order of the stores. */
async function queryStores(
  tablesByStore: ReadonlyMap<string, readonly TableAddress[]>,
  stores: SourceStores,
  signal: AbortSignal,
  patienceMs: number,
): Promise<ReadonlyMap<string, StoreCheckResult>> {
  const patience = AbortSignal.timeout(patienceMs);
  const either = AbortSignal.any([signal, patience]);
  const answers = new Map<string, StoreCheckResult | undefined>(
    [...tablesByStore.keys()].map((key) => [key, undefined]),
  );
  const createTimeoutResult = (key: string): StoreCheckResult => ({
    tables: [],
    silence: problem('store-unreachable', {
      name: stores.findStore(key)?.store.id ?? '',
      reason: `it did not answer within ${patienceMs} ms`,
    }),
  });
  const waiting = tablesByStore.entries();
  const runLane = async (): Promise<void> => {
    for (const [key, addresses] of waiting) {
      signal.throwIfAborted();
      answers.set(
        key,
        (await runUntilAborted(patience, () => queryStore(addresses, stores, either))) ?? createTimeoutResult(key),
      );
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_STORES }, runLane));
  return new Map([...answers].flatMap(([key, answer]) => (answer === undefined ? [] : [[key, answer]])));
}

/** Work that ignores the signal is abandoned without a result. */
async function runUntilAborted<T>(patience: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  if (patience.aborted) return undefined;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => resolve(undefined);
  patience.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), over]);
  } catch (error) {
    if (patience.aborted && !(error instanceof Problem)) return undefined;
    throw error;
  } finally {
    patience.removeEventListener('abort', stop);
  }
}

/** Queries one table after the other until the store stops responding. */
async function queryStore(
  addresses: readonly TableAddress[],
  stores: SourceStores,
  signal: AbortSignal,
): Promise<StoreCheckResult> {
  const tables: StoreCheckResult['tables'][number][] = [];
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      tables.push({ address, answer: await stores.describe(address, signal) });
    } catch (error) {
      if (!(error instanceof Problem) || deniedCodes.has(error.code)) throw error;
      if (error.code === 'store-unreachable') return { tables, silence: error };
      tables.push({ address, answer: error });
    }
  }
  return { tables };
}

function formatTableKey({ store, table, databaseSchema }: TableAddress): string {
  return JSON.stringify([store, databaseSchema, table]);
}

/** Whether the store can be opened. */
function checkKind(file: string, store: SourceStore, stores: SourceStores, complaints: DiagnosticList): boolean {
  const { id, element, isDataAccess, parameters, line } = store;
  const driver = stores.findDriver(store);
  if (driver === undefined) {
    const what =
      element !== 'DataStore'
        ? `is a '${formatExcerpt(element)}', which is not supported`
        : isDataAccess
          ? 'is itself a mapping (isDataAccess), which is not supported'
          : `${formatUnknownKind(parameters)}. Supported types: ${stores.listTypes().join(', ')}`;
    complaints.add(file, line, `The source data store '${formatExcerpt(id)}' ${what}.`);
    return false;
  }
  try {
    // Parameters that are forbidden for stores are also forbidden in mappings.
    checkParameters(driver, parameters, { isStrict: false });
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    complaints.add(file, line, `The source data store '${formatExcerpt(id)}' is unusable: ${error.message}`);
    return false;
  }
}

/** Names of parameters are no secrets. */
function formatUnknownKind(parameters: ConnectionParameters): string {
  const kind = parameters['dbtype']?.trim() ?? '';
  if (kind !== '') return `has the unknown type '${formatExcerpt(kind)}' (dbtype)`;
  const names = Object.keys(parameters).map((name) => `'${formatExcerpt(name)}'`);
  return names.length === 0
    ? 'has no parameters'
    : `has an unknown type: no dbtype, only ${names.slice(0, 10).join(', ')}`;
}

/** Reports the table for every mapping that reads it. */
function addTableDiagnostics(address: TableAddress, mappings: readonly Mapping[], complaints: DiagnosticList): void {
  const { table } = address;
  const addDiagnostic = (mapped: MappedType, line: number): void =>
    complaints.add(
      mapped.mapping.file,
      line,
      `The mapping of '${formatExcerpt(formatTypeName(mapped))}' reads '${formatExcerpt(table)}', which does not exist in the store '${formatExcerpt(mapped.type.sourceStore)}'.`,
    );
  for (const mapped of listMappedTypes(mappings)) {
    const own = toTableAddress(mapped);
    if (formatTableKey(own) === formatTableKey(address)) addDiagnostic(mapped, mapped.type.line);
    for (const { multipleValue, line } of mapped.type.attributes) {
      if (
        multipleValue !== undefined &&
        formatTableKey({ ...own, table: multipleValue.targetTable }) === formatTableKey(address)
      ) {
        addDiagnostic(mapped, line);
      }
    }
  }
}
