/** The target of an upload: a new store, the data of an existing store, or the tables of a database. */
import { isDeepStrictEqual } from 'node:util';
import { checkPrecondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { formatFilePlace } from '../../lib/text/file-place.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { checkName, formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { listUploadDrivers, type UploadDriver, type VectorDriver } from '../../vector/port/driver.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import { dataStoreNameRule, toDataStoreView } from '../stores/data-stores.ts';
import { findDefaultDataStore } from '../stores/default-data-store.ts';
import { DEFAULT, findWorkspace } from '../workspaces/workspaces.ts';
import { findUploadDriver, type UploadRequest } from './upload-request.ts';

export interface UploadTarget {
  readonly workspace: Workspace;
  readonly existing: DataStore | undefined;
  /** The driver of the store, or of the one to create. */
  readonly driver: VectorDriver | undefined;
  /** Files of the store's own format replace its data; others are imported. */
  readonly way: 'replace' | 'import';
}

/** Returns the current store if it accepts the upload. */
export async function findTarget(
  catalog: CatalogReader,
  drivers: readonly VectorDriver[],
  request: UploadRequest,
): Promise<UploadTarget> {
  const { store: name } = request;
  const workspace = await findWorkspace(catalog, request.workspace);
  if (name !== DEFAULT) {
    checkName(name, dataStoreNameRule);
  }
  const existing =
    name === DEFAULT
      ? await findDefaultDataStore(catalog, workspace.id)
      : await catalog.find(dataStoreKind, workspace.id, name);
  if (existing === undefined && name === DEFAULT) {
    throw problem('no-default-store', { workspace: workspace.name });
  }
  const driver =
    existing === undefined
      ? selectStoreDriver(drivers, request)
      : drivers.find((each) => each.accepts(existing.parameters));
  const isOwnFormat = driver === request.driver;
  const { format, isMapping = false } = request.driver.uploads;
  if (existing !== undefined && !isOwnFormat && (isMapping || driver?.takesImports !== true)) {
    throw problem('upload-into-other-store', {
      name: existing.name,
      type: existing.type,
      format,
      importTypes: isMapping ? [] : drivers.filter(({ takesImports }) => takesImports).map(({ type }) => type),
    });
  }
  checkPrecondition(request.precondition, existing && toDataStoreView(existing, workspace).version);
  return { existing, workspace, driver, way: isOwnFormat ? 'replace' : 'import' };
}

/** Returns whether data that was prepared for one target is valid for the other. */
export function isSameTarget(a: UploadTarget, b: UploadTarget): boolean {
  const toComparableFields = ({ workspace, existing, way }: UploadTarget) => [
    workspace.id,
    way,
    existing?.id,
    existing?.parameters,
    existing?.sealedParameters,
    existing?.fileSet,
  ];
  return isDeepStrictEqual(toComparableFields(a), toComparableFields(b));
}

/** Returns the path at which clients see the files of the store; an existing path stays. */
export function resolveFilePlace({ workspace, existing }: UploadTarget, storeName: string): string {
  return existing?.filePlace ?? formatFilePlace(workspace.name, existing?.name ?? storeName);
}

function selectStoreDriver(drivers: readonly VectorDriver[], { driver, target }: UploadRequest): UploadDriver {
  const { format, isMapping = false, isImported = false } = driver.uploads;
  const usual = isImported ? listUploadDrivers(drivers).find(({ uploads }) => uploads.isMadeForImports) : driver;
  const wanted = target === null ? usual : findUploadDriver(drivers, target);
  if (wanted !== undefined && (wanted === driver || (wanted.uploads.isMadeForImports && !isMapping))) {
    return wanted;
  }
  const made = listUploadDrivers(drivers).filter(({ uploads }) => uploads.isMadeForImports && !isMapping);
  throw problem('upload-target-unsupported', {
    format,
    target: formatPrintableName(target ?? ''),
    targets: [...new Set([format, ...made.map(({ uploads }) => uploads.format)])],
    field: 'target',
  });
}
