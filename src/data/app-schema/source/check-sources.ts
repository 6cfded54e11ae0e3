/** Holds a mapping against the stores that it takes its data from: their kinds, their tables, and the columns of these. */
import { Problem } from '../../../lib/problem.ts';
import { checkParameters } from '../../vector/parameters.ts';
import { type Complaint, type Complaints, createComplaints, shown } from '../complaints.ts';
import type { Mapping, SourceStore } from '../mapping/mapping.ts';
import { checkMapping, tablesOf } from '../read/check-mapping.ts';
import { mappedTypes } from '../read/find-types.ts';
import { tableAddress } from '../read/load-links.ts';
import type { TableAddress } from '../read/source-tables.ts';
import { type MappedType, typeText } from '../read/type-plan.ts';
import type { SourceStores } from './source-stores.ts';

export interface SourceFindings {
  readonly complaints: readonly Complaint[];
  /** What could not be asked at the moment, in sentences. */
  readonly warnings: readonly string[];
}

/** Places and hosts that whoever asks may not use, told as they are. */
const deniedCodes: ReadonlySet<string> = new Set(['database-host-refused', 'path-refused', 'path-invalid']);

export async function checkSources(
  mappings: readonly Mapping[],
  stores: SourceStores,
  signal: AbortSignal,
): Promise<SourceFindings> {
  const complaints = createComplaints();
  const isUsable = new Map<string, boolean>();
  for (const { file, stores: all } of mappings) {
    for (const store of all) {
      const isGood = checkKind(file, store, stores, complaints);
      isUsable.set(store.key, isGood);
      // Also of those that no type is taken from: their schemas can be asked for.
      if (isGood) await stores.admit({ file, store });
    }
  }
  const columns = new Map<string, readonly string[] | undefined>();
  /** Stores that do not answer, with the reason: what is not there today may be there tomorrow. */
  const silent = new Map<string, string>();
  for (const address of tablesOf(mappings)) {
    signal.throwIfAborted();
    if (isUsable.get(address.store) !== true || silent.has(address.store)) continue;
    try {
      const described = await stores.describe(address, signal);
      columns.set(
        keyOf(address),
        described?.attributes.map(({ name }) => name),
      );
      if (described === undefined) complainOfTable(address, mappings, complaints);
    } catch (error) {
      if (!(error instanceof Problem) || deniedCodes.has(error.code)) throw error;
      const named = stores.storeOf(address.store);
      if (error.code === 'store-unreachable') silent.set(address.store, error.message);
      else
        complaints.add(
          named?.file ?? '',
          named?.store.line ?? 1,
          `The source data store '${shown(named?.store.id ?? '')}' cannot be used: ${error.message}`,
        );
    }
  }
  return {
    complaints: [...complaints.list, ...checkMapping(mappings, (address) => columns.get(keyOf(address)))],
    warnings: [...silent].map(
      ([key, why]) =>
        `The source data store '${shown(stores.storeOf(key)?.store.id ?? '')}' of the mapping cannot be reached, so its tables were not checked: ${why}`,
    ),
  };
}

function keyOf({ store, table, databaseSchema }: TableAddress): string {
  return JSON.stringify([store, databaseSchema, table]);
}

/** Whether it can be opened. */
function checkKind(file: string, store: SourceStore, stores: SourceStores, complaints: Complaints): boolean {
  const { id, element, isDataAccess, parameters, line } = store;
  const driver = stores.driverOf(store);
  if (driver === undefined) {
    const what =
      element !== 'DataStore'
        ? `is a '${shown(element)}', which is not supported here`
        : isDataAccess
          ? 'is a mapping itself (isDataAccess), which is not supported here'
          : 'has parameters that mean no kind of store that is known here';
    complaints.add(file, line, `The source data store '${shown(id)}' ${what}.`);
    return false;
  }
  try {
    // What stores may not be given, mappings may not say either.
    checkParameters(driver, parameters, { isStrict: false });
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    complaints.add(file, line, `The source data store '${shown(id)}' cannot be used: ${error.message}`);
    return false;
  }
}

/** By everybody who reads it. */
function complainOfTable(address: TableAddress, mappings: readonly Mapping[], complaints: Complaints): void {
  const { table } = address;
  const complain = (mapped: MappedType, line: number): void =>
    complaints.add(
      mapped.mapping.file,
      line,
      `The mapping of '${shown(typeText(mapped))}' takes '${shown(table)}' from the store '${shown(mapped.type.sourceStore)}', which has nothing of that name.`,
    );
  for (const mapped of mappedTypes(mappings)) {
    const own = tableAddress(mapped);
    if (keyOf(own) === keyOf(address)) complain(mapped, mapped.type.line);
    for (const { multipleValue, line } of mapped.type.attributes) {
      if (multipleValue !== undefined && keyOf({ ...own, table: multipleValue.targetTable }) === keyOf(address)) {
        complain(mapped, line);
      }
    }
  }
}
