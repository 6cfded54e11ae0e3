/** Configuration kinds for stores. */

import type { CascadedService } from '../../../cascade/capabilities.ts';
import type { CoverageDefaults } from '../../../catalog/coverages/publish-coverage.ts';
import { cascadedStoreKinds } from '../../../catalog/kinds/cascaded-store.ts';
import { coverageStoreKind } from '../../../catalog/kinds/coverage-store.ts';
import { dataStoreKind } from '../../../catalog/kinds/data-store.ts';
import type { Store, StoreKind } from '../../../catalog/kinds/store.ts';
import { findEditedFile } from '../../../catalog/stores/edited-file.ts';
import type { FileAssignment } from '../../../catalog/uploads/assign-files.ts';
import type { DocumentWriter } from '../../../http/documents/document.ts';
import { type Workspace, workspaceKind } from '../../../records/workspace.ts';
import { cascadedStoreDocuments } from '../../cascaded/store-representation.ts';
import { encodePath } from '../../changes/record-path.ts';
import type { Dialect } from '../../common/dialects.ts';
import type { Services } from '../../common/services.ts';
import { coverageStoreDocument } from '../../coverage-stores/representation.ts';
import { dataStoreDocument } from '../../data-stores/representation.ts';
import { getStorePath } from '../../resources/representation.ts';
import {
  createFieldMapping,
  type FieldMapping,
  type Fields,
  isObject,
  type Json,
  KEPT_SECRET,
} from '../model/fields.ts';
import { createFilesOperation, readFiles, reconcileFiles } from '../model/files.ts';
import { type ConfigurationKind, mapPreparedRecords } from '../model/kind.ts';
import { createPut, createResourceOperations, toCreateFields } from '../model/operations.ts';
import { settleLocations } from './settle-fields.ts';

/** A store as in its document. */
interface StoreRepresentation<S extends Store> {
  readonly store: S;
  readonly workspace: Workspace;
  readonly version: number;
}

/** The fields that the path determines, and those without a value in any store. */
const leftOut = ['name', 'workspace', '_default'];

const defaults: Fields = { description: null, enabled: true, metadata: {}, disableOnConnFailure: false };

function createStoreRow<S extends Store>(
  kind: StoreKind<S>,
  document: DocumentWriter<StoreRepresentation<S>>,
  options: {
    readonly leftOut?: readonly string[];
    readonly defaults?: Fields;
    /** Additional fields, or replacements of fields of the document. */
    readonly further?: (shown: StoreRepresentation<S>, services: Services, fields: Fields) => Promise<Fields> | Fields;
    readonly furtherNames?: readonly string[];
    readonly writing?: Pick<ConfigurationKind, 'create' | 'change' | 'remove'>;
    readonly settle?: (former: Fields, wanted: Fields) => Fields;
  },
): ConfigurationKind {
  const own: Fields = { ...defaults, ...options.defaults };
  const described: FieldMapping<StoreRepresentation<S>> = createFieldMapping(document, options.leftOut ?? leftOut, own);
  return {
    kind: kind.kind,
    patterns: [`/workspaces/:workspace/${kind.collection}/:store`],
    fieldNames: [...described.names, ...(options.furtherNames ?? [])],
    secrets: described.secrets,
    async readSecrets(catalog, { names }) {
      const workspace = await catalog.find(workspaceKind, null, names['workspace'] ?? '');
      const store = workspace && (await catalog.find(kind, workspace.id, names['store'] ?? ''));
      return store?.sealedParameters ?? {};
    },
    defaults: own,
    uniqueNames: ({ names: { workspace, store } }) => [`store ${workspace}:${store}`],
    every: ({ services, every, workspaces }) =>
      mapPreparedRecords(every(kind), async () => {
        const known = await workspaces();
        return (store) => {
          const workspace = known.get(store.parent ?? '');
          const shown = workspace && { store, workspace, version: store.version };
          return (
            shown && {
              path: encodePath(getStorePath(shown)),
              fields: () => {
                const fields = described.toFields(shown);
                return options.further?.(shown, services, fields) ?? fields;
              },
            }
          );
        };
      }),
    settle: (former, wanted) => {
      const settled = settleLocations(former, wanted);
      return options.settle?.(former, settled) ?? settled;
    },
    ...(options.writing ?? createResourceOperations(document.root)),
  };
}

const createDataStoreRow = (habits: CoverageDefaults) =>
  createStoreRow(dataStoreKind, dataStoreDocument, {
    leftOut: ['name', 'workspace'],
    defaults: { _default: false, files: [] },
    furtherNames: ['files'],
    further: async ({ store }, services, fields) => {
      // The namespace is derived from the workspace.
      const { namespace: _namespace, ...parameters } = isObject(fields['connectionParameters'])
        ? fields['connectionParameters']
        : {};
      return {
        ...fields,
        connectionParameters: { ...parameters, ...toKeptSecrets(Object.keys(store.sealedParameters)) },
        files: await listStoreFiles(services, store),
      };
    },
    writing: createFileStoreOperations('dataStore', dataStoreDocument.root, habits),
    settle: reconcileFiles,
  });

const createCoverageStoreRow = (habits: CoverageDefaults) =>
  createStoreRow(coverageStoreKind, coverageStoreDocument, {
    defaults: { files: [] },
    furtherNames: ['files'],
    further: async ({ store }, services, fields) => ({ ...fields, files: await listStoreFiles(services, store) }),
    writing: createFileStoreOperations('coverageStore', coverageStoreDocument.root, habits),
  });

function createCascadedStoreRow(service: CascadedService): ConfigurationKind {
  const document = cascadedStoreDocuments[service].writer;
  const { secrets } = createFieldMapping(document, leftOut);
  return createStoreRow(cascadedStoreKinds[service], document, {
    further: ({ store }, _services, fields) => ({
      ...fields,
      ...Object.fromEntries(secrets.map((name) => [name, name in store.sealedParameters ? KEPT_SECRET : null])),
    }),
  });
}

export function createStoreRows({ coverageHabits }: Dialect): readonly ConfigurationKind[] {
  return [
    createDataStoreRow(coverageHabits),
    createCoverageStoreRow(coverageHabits),
    createCascadedStoreRow('WMS'),
    createCascadedStoreRow('WMTS'),
  ];
}

function toKeptSecrets(names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, KEPT_SECRET]));
}

/** The uploaded files of a store by path, or the one that is edited. */
async function listStoreFiles({ files }: Services, store: Store): Promise<Json> {
  const { fileSet } = store;
  if (fileSet === null) {
    const edited = findEditedFile(store);
    return edited === undefined ? [] : [{ path: edited, edited: true }];
  }
  const found = await files.stored.readSetFiles(fileSet);
  return found
    .map(({ path, bytes, hash }) => ({ path, bytes, sha256: hash }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Files are not part of a store document: they are placed first, then the document is applied. */
function createFileStoreOperations(
  kind: FileAssignment['kind'],
  root: string,
  habits: CoverageDefaults,
): Pick<ConfigurationKind, 'create' | 'change' | 'remove'> {
  const { create, change, remove } = createResourceOperations(root);
  return {
    create: async (wanted) => {
      const { files: _files, ...fields } = wanted.fields;
      return readFiles(wanted.fields).length === 0
        ? create({ ...wanted, fields })
        : [
            createFilesOperation(kind, wanted, habits),
            createPut(wanted, { document: { [root]: toCreateFields(fields) } }),
          ];
    },
    change: async (wanted, { fields: former, changed }) => {
      const others = new Set([...changed].filter((name) => name !== 'files'));
      const operations = others.size === 0 ? [] : await change(wanted, { fields: former, changed: others });
      return changed.has('files') && readFiles(wanted.fields).length > 0
        ? [createFilesOperation(kind, wanted, habits), ...operations]
        : operations;
    },
    remove,
  };
}
