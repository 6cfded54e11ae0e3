/** Stores of all kinds in the configuration. */
import { cascadedStoreKinds } from '../../catalog/cascaded/cascaded-store.ts';
import { coverageStoreKind } from '../../catalog/coverage-stores/coverage-store.ts';
import type { CoverageDefaults } from '../../catalog/coverages/publish-coverage.ts';
import { dataStoreKind } from '../../catalog/stores/data-store.ts';
import { findEditedFile } from '../../catalog/stores/edited-file.ts';
import type { Store, StoreKind } from '../../catalog/stores/store.ts';
import type { FileAssignment } from '../../catalog/uploads/place-files.ts';
import type { CascadedService } from '../../data/cascade/capabilities.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { Workspace } from '../../records/workspace.ts';
import { cascadedStoreDocuments } from '../cascaded/store-representation.ts';
import { coverageStoreDocument } from '../coverage-stores/representation.ts';
import { dataStoreDocument } from '../data-stores/representation.ts';
import type { Dialect } from '../dialects.ts';
import { pathOf } from '../record-address.ts';
import { storePath } from '../resources/representation.ts';
import type { Services } from '../services.ts';
import { type DescribedFields, describedFields, type Fields, isObject, type Json, KEPT_SECRET } from './fields.ts';
import { filesIn, placing, settleFiles } from './files.ts';
import { type ConfigurationKind, eachWith } from './kind.ts';
import { given, resourceWriting } from './operations.ts';

/** A store as its document shows it. */
interface ShownStore<S extends Store> {
  readonly store: S;
  readonly workspace: Workspace;
  readonly version: number;
}

/** What the path tells, and what no store has. */
const leftOut = ['name', 'workspace', '_default'];

const defaults: Fields = { description: null, enabled: true, metadata: {}, disableOnConnFailure: false };

function storeRow<S extends Store>(
  kind: StoreKind<S>,
  document: DocumentWriter<ShownStore<S>>,
  told: {
    readonly leftOut?: readonly string[];
    readonly defaults?: Fields;
    /** Fields beside those of the document, or in the place of some. */
    readonly further?: (shown: ShownStore<S>, services: Services, fields: Fields) => Promise<Fields> | Fields;
    readonly furtherNames?: readonly string[];
    readonly writing?: Pick<ConfigurationKind, 'create' | 'change' | 'remove'>;
    readonly settle?: (former: Fields, wanted: Fields) => Fields;
  },
): ConfigurationKind {
  const own: Fields = { ...defaults, ...told.defaults };
  const described: DescribedFields<ShownStore<S>> = describedFields(document, told.leftOut ?? leftOut, own);
  return {
    kind: kind.kind,
    patterns: [`/workspaces/:workspace/${kind.collection}/:store`],
    fieldNames: [...described.names, ...(told.furtherNames ?? [])],
    secrets: described.secrets,
    defaults: own,
    every: ({ services, every, workspaces }) =>
      eachWith(every(kind), async () => {
        const known = await workspaces();
        return (store) => {
          const workspace = known.get(store.parent ?? '');
          const shown = workspace && { store, workspace, version: store.version };
          return (
            shown && {
              path: pathOf(storePath(shown)),
              fields: () => {
                const fields = described.of(shown);
                return told.further?.(shown, services, fields) ?? fields;
              },
            }
          );
        };
      }),
    ...(told.settle === undefined ? {} : { settle: told.settle }),
    ...(told.writing ?? resourceWriting(document.root)),
  };
}

const dataStores = (habits: CoverageDefaults) =>
  storeRow(dataStoreKind, dataStoreDocument, {
    leftOut: ['name', 'workspace'],
    defaults: { _default: false, files: [] },
    furtherNames: ['files'],
    further: async ({ store }, services, fields) => {
      // The namespace follows the workspace.
      const { namespace: _namespace, ...parameters } = isObject(fields['connectionParameters'])
        ? fields['connectionParameters']
        : {};
      return {
        ...fields,
        connectionParameters: { ...parameters, ...secretsOf(Object.keys(store.sealedParameters)) },
        files: await filesOf(services, store),
      };
    },
    writing: writingWithFiles('dataStore', dataStoreDocument.root, habits),
    settle: settleFiles,
  });

const coverageStores = (habits: CoverageDefaults) =>
  storeRow(coverageStoreKind, coverageStoreDocument, {
    defaults: { files: [] },
    furtherNames: ['files'],
    further: async ({ store }, services, fields) => ({ ...fields, files: await filesOf(services, store) }),
    writing: writingWithFiles('coverageStore', coverageStoreDocument.root, habits),
  });

function cascadedStores(service: CascadedService): ConfigurationKind {
  const document = cascadedStoreDocuments[service].writer;
  const { secrets } = describedFields(document, leftOut);
  return storeRow(cascadedStoreKinds[service], document, {
    further: ({ store }, _services, fields) => ({
      ...fields,
      ...Object.fromEntries(secrets.map((name) => [name, name in store.sealedParameters ? KEPT_SECRET : null])),
    }),
  });
}

export function storeRows({ coverageHabits }: Dialect): readonly ConfigurationKind[] {
  return [dataStores(coverageHabits), coverageStores(coverageHabits), cascadedStores('WMS'), cascadedStores('WMTS')];
}

function secretsOf(names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, KEPT_SECRET]));
}

/** The uploaded files of a store, by path, or the one that is edited. */
async function filesOf({ files }: Services, store: Store): Promise<Json> {
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

/** Files are no part of a document: a store has them first, and is then as its document says. */
function writingWithFiles(
  kind: FileAssignment['kind'],
  root: string,
  habits: CoverageDefaults,
): Pick<ConfigurationKind, 'create' | 'change' | 'remove'> {
  const { create, change, remove } = resourceWriting(root);
  return {
    create: async (wanted) => {
      const { files: _files, ...fields } = wanted.fields;
      return filesIn(wanted.fields).length === 0
        ? create({ ...wanted, fields })
        : [placing(kind, wanted, habits), { method: 'PUT', path: wanted.path, body: { [root]: given(fields) } }];
    },
    change: async (wanted, { fields: former, changed }) => {
      const others = new Set([...changed].filter((name) => name !== 'files'));
      const operations = others.size === 0 ? [] : await change(wanted, { fields: former, changed: others });
      return changed.has('files') && filesIn(wanted.fields).length > 0
        ? [placing(kind, wanted, habits), ...operations]
        : operations;
    },
    remove,
  };
}
