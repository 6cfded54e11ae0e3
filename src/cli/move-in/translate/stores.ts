/** Translates stores: their common fields, and those of each kind. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findFlag, findText, readReference, readTextMap } from '../read/values.ts';
import type { Subject } from '../report/report.ts';
import { translateCascadedStore } from './cascaded-store.ts';
import { translateCoverageStore } from './coverage-store.ts';
import { translateDataStore } from './data-store.ts';
import { type Move, readId, readTargetName, reportDuplicateId } from './move.ts';
import type { SourceStore, SourceWorkspace, StoreKind } from './source-index.ts';
import type { StoreDocument, StoreFields } from './store-document.ts';
import type { UrlChecks } from './url-checks.ts';

interface StoreForm {
  readonly kind: StoreKind;
  readonly file: string;
  readonly collection: string;
}

const forms: readonly StoreForm[] = [
  { kind: 'dataStore', file: 'datastore.xml', collection: 'datastores' },
  { kind: 'coverageStore', file: 'coveragestore.xml', collection: 'coveragestores' },
  { kind: 'wmsStore', file: 'wmsstore.xml', collection: 'wmsstores' },
  { kind: 'wmtsStore', file: 'wmtsstore.xml', collection: 'wmtsstores' },
];

export async function translateStores(move: Move, checks: UrlChecks): Promise<void> {
  for (const workspace of move.index.workspaces) {
    for (const folder of move.files.listFolders(workspace.folder)) {
      const form = forms.find(({ file }) => move.files.has(`${workspace.folder}/${folder}/${file}`));
      if (form !== undefined)
        await translateStore(move, checks, workspace, { form, folder: `${workspace.folder}/${folder}` });
    }
  }
}

async function translateStore(
  move: Move,
  checks: UrlChecks,
  home: SourceWorkspace,
  { form, folder }: { readonly form: StoreForm; readonly folder: string },
): Promise<void> {
  const { kind, collection } = form;
  const source = `${folder}/${form.file}`;
  const root = await move.documents.read(source, [kind], kind);
  const workspace = root && findHome(move, root, home, { source, kind });
  const name = root && findText(root, 'name');
  const named = workspace && readTargetName(move, { source, kind }, { kind: 'store', name, workspace: workspace.name });
  const path = createPath('workspaces', workspace?.target ?? home.target, collection, named ?? '');
  const subject = { source, kind, path };
  const fields =
    root === undefined || named === undefined
      ? undefined
      : await translateFields(move, kind, { root, path, subject }, checks);
  const isImported = fields !== undefined && move.archive.add(kind, path, Object.fromEntries(fields), { source });
  const store: SourceStore = { kind, folder, workspace: workspace ?? home, name: name ?? '', path, isImported };
  const isNew = move.index.addStore(store, root && readId(root));
  if (isImported) reportDuplicateId(move, subject, isNew);
}

/** The workspace that the document names. */
function findHome(
  { index, report }: Move,
  root: XmlElement,
  home: SourceWorkspace,
  subject: Subject,
): SourceWorkspace | undefined {
  const reference = readReference(child(root, 'workspace'));
  if (reference?.id === undefined) return home;
  const found = index.findWorkspace(reference.id) ?? index.findWorkspaceByName(reference.id);
  if (found === undefined) {
    report.add(
      'reference-dangling',
      subject,
      `The workspace with the id '${reference.id}' does not exist.`,
      'Correct or delete the store on the old server.',
    );
  }
  return found;
}

/** Returns undefined if the store is not supported. */
async function translateFields(
  move: Move,
  kind: StoreKind,
  document: StoreDocument,
  checks: UrlChecks,
): Promise<StoreFields | undefined> {
  const fields = readCommonFields(document.root);
  const isSupported =
    kind === 'dataStore'
      ? await translateDataStore(move, document, fields, checks)
      : kind === 'coverageStore'
        ? await translateCoverageStore(move, document, fields)
        : translateCascadedStore(move, kind, document, { fields, checks });
  return isSupported ? fields : undefined;
}

function readCommonFields(root: XmlElement): StoreFields {
  const fields: StoreFields = new Map();
  const description = findText(root, 'description');
  if (description !== undefined) fields.set('description', description);
  fields.set('enabled', findFlag(root, 'enabled') ?? true);
  const metadataElement = child(root, 'metadata');
  const metadata = metadataElement && readTextMap(metadataElement);
  if (metadata !== undefined) fields.set('metadata', metadata);
  const isDisabledOnFailure = findFlag(root, 'disableOnConnFailure');
  if (isDisabledOnFailure !== undefined) fields.set('disableOnConnFailure', isDisabledOnFailure);
  return fields;
}
