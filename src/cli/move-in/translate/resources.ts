/** Translates published resources with their layers: most files of a large directory. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findFlag, findText, readReference } from '../read/values.ts';
import type { Subject } from '../report/report.ts';
import { type Move, readId, readTargetName, reportDuplicateId } from './move.ts';
import { layerReaders, readFields, resourceReaders } from './resource-fields.ts';
import type { SourceStore, StoreKind } from './source-index.ts';
import { findStyleReference } from './style-references.ts';

interface ResourceForm {
  readonly kind: 'featureType' | 'coverage' | 'wmsLayer' | 'wmtsLayer';
  readonly file: string;
  readonly collection: string;
  readonly storeKind: StoreKind;
  /** The default style of a layer whose own style is not imported. */
  readonly style: string;
}

const forms: readonly ResourceForm[] = [
  {
    kind: 'featureType',
    file: 'featuretype.xml',
    collection: 'featuretypes',
    storeKind: 'dataStore',
    style: 'generic',
  },
  { kind: 'coverage', file: 'coverage.xml', collection: 'coverages', storeKind: 'coverageStore', style: 'raster' },
  { kind: 'wmsLayer', file: 'wmslayer.xml', collection: 'wmslayers', storeKind: 'wmsStore', style: 'raster' },
  { kind: 'wmtsLayer', file: 'wmtslayer.xml', collection: 'layers', storeKind: 'wmtsStore', style: 'raster' },
];

export async function translateResources(move: Move): Promise<void> {
  for (const store of move.index.stores) {
    for (const name of move.files.listFolders(store.folder)) {
      const folder = `${store.folder}/${name}`;
      const form = forms.find(({ file }) => move.files.has(`${folder}/${file}`));
      if (form !== undefined) await translateResource(move, store, form, folder);
    }
  }
}

async function translateResource(move: Move, store: SourceStore, form: ResourceForm, folder: string): Promise<void> {
  const source = `${folder}/${form.file}`;
  const root = await move.documents.read(source, [form.kind], form.kind);
  const home = root && findStore(move, root, store, { source, kind: form.kind });
  const name = root && findText(root, 'name');
  const target =
    home && readTargetName(move, { source, kind: form.kind }, { kind: 'layer', name, workspace: home.workspace.name });
  const path = home && target !== undefined ? `${home.path}${createPath(form.collection, target)}` : undefined;
  const layerSource = `${folder}/layer.xml`;
  if (root === undefined || home === undefined || name === undefined || target === undefined || path === undefined) {
    if (name !== undefined) mentionResource(move, store, form, name);
    skipLayer(move, layerSource);
    return;
  }
  const subject = { source, kind: form.kind, path };
  const fields = translateFields(move, { root, form, home, subject });
  const isImported = fields !== undefined && move.archive.add(form.kind, path, Object.fromEntries(fields), { source });
  const code = fields?.get('srs');
  if (isImported && typeof code === 'string') move.index.codes.add(code);
  const layer: LayerDocument = { source: layerSource, resource: source, form, home, name, target };
  if (isImported && move.files.listFiles(folder).some((file) => file.endsWith('.ftl')))
    move.index.addFolder(folder, target);
  if (isImported) await translateLayer(move, layer);
  else if (move.options.only.length > 0 && fields !== undefined) await translateLayer(move, layer, true);
  else {
    mentionResource(move, home, form, name);
    skipLayer(move, layerSource);
  }
}

/** The source has the resource with its layer, although neither is imported. */
function mentionResource(
  { archive, options }: Move,
  { workspace, path }: SourceStore,
  { collection }: ResourceForm,
  name: string,
): void {
  const target = options.renames.get('layer', name, workspace.name);
  archive.mention(`${path}${createPath(collection, target)}`);
  for (const each of ['layers', 'tilelayers'])
    archive.mention(createPath('workspaces', workspace.target, each, target));
}

function skipLayer({ files, report }: Move, source: string): void {
  if (!files.has(source)) return;
  files.account(source);
  report.add('parent-skipped', { source, kind: 'layer' }, 'The resource of the layer is not imported.');
}

/** The store that the document names; undefined if it is not imported. */
function findStore(
  { index, report, options }: Move,
  root: XmlElement,
  parent: SourceStore,
  subject: Subject,
): SourceStore | undefined {
  const reference = readReference(child(root, 'store'));
  const store = reference?.id === undefined ? parent : index.findStore(reference.id);
  const namespace = readReference(child(root, 'namespace'));
  if (store === undefined) {
    const message = `The store with the id '${reference?.id ?? ''}' does not exist.`;
    report.add('reference-dangling', subject, message, 'Correct or delete the resource on the old server.');
    return undefined;
  }
  if (namespace?.id !== undefined && index.findNamespace(namespace.id) === undefined) {
    const isKnown = index.findWorkspaceByName(namespace.id) !== undefined;
    if (!isKnown) {
      const message = `The namespace with the id '${namespace.id}' does not exist.`;
      report.add('reference-dangling', subject, message, 'Correct or delete the resource on the old server.');
      return undefined;
    }
  }
  if (store.isImported || options.only.length > 0) return store;
  report.add('parent-skipped', subject, 'The store of the resource is not imported.');
  return undefined;
}

interface ResourceDocument {
  readonly root: XmlElement;
  readonly form: ResourceForm;
  readonly home: SourceStore;
  readonly subject: Subject;
}

/** Returns undefined if the resource is not supported. */
function translateFields(
  { report }: Move,
  { root, form, home, subject }: ResourceDocument,
): Map<string, Json> | undefined {
  if (form.storeKind !== home.kind) {
    report.add('reference-dangling', subject, `A ${form.kind} cannot belong to a ${home.kind}.`);
    return undefined;
  }
  const metadata = child(root, 'metadata');
  const isView =
    metadata !== undefined && listChildElements(metadata).some((entry) => attribute(entry, 'key') === 'COVERAGE_VIEW');
  if (isView) {
    const remedy = 'Publish a file with the bands of the view, for example with gdal_merge.py -separate.';
    report.add('coverage-view-unsupported', subject, 'Coverage views are not supported.', remedy);
    return undefined;
  }
  const fields = readFields(root, resourceReaders[form.kind], report, subject);
  const nativeName = form.kind === 'coverage' ? findText(root, 'nativeCoverageName') : undefined;
  if (nativeName !== undefined) fields.set('nativeName', nativeName);
  return fields;
}

interface LayerDocument {
  readonly source: string;
  /** The file of its resource. */
  readonly resource: string;
  readonly form: ResourceForm;
  readonly home: SourceStore;
  readonly name: string;
  readonly target: string;
}

/** `isAlone`: the resource is outside of the selected paths. */
async function translateLayer(move: Move, document: LayerDocument, isAlone = false): Promise<void> {
  const { archive, documents, files, index, report } = move;
  const { source, resource, home, name, target } = document;
  const { workspace } = home;
  const path = createPath('workspaces', workspace.target, 'layers', target);
  const subject = { source, kind: 'layer', path };
  if (!files.has(source)) {
    if (isAlone) return;
    report.add(
      'layer-missing',
      { ...subject, source: resource },
      'The resource has no layer.xml; its layer is disabled.',
    );
    archive.add('layer', path, { enabled: false, advertised: false }, { source: resource });
    return;
  }
  const root = await documents.read(source, ['layer'], 'layer');
  const fields =
    root === undefined ? { enabled: false, advertised: false } : translateLayerFields(move, root, document, subject);
  if (!archive.add('layer', path, fields, { source })) return;
  const isNew = index.addLayer({ type: 'layer', name, target, workspace }, root && readId(root));
  reportDuplicateId(move, subject, isNew);
}

function translateLayerFields(
  move: Move,
  root: XmlElement,
  { form, home }: LayerDocument,
  subject: Subject,
): Readonly<Record<string, Json>> {
  const fields = readFields(root, layerReaders, move.report, subject);
  const path = findText(root, 'path');
  if (path !== undefined && path !== '/') fields.set('path', path);
  const defaultStyle = child(root, 'defaultStyle');
  if (defaultStyle !== undefined) {
    fields.set(
      'defaultStyle',
      findStyle(move, defaultStyle, home, subject) ?? { name: replaceStyle(move, form, subject) },
    );
  }
  const styles = child(root, 'styles');
  const others =
    styles === undefined ? [] : listChildElements(styles).flatMap((each) => findStyle(move, each, home, subject) ?? []);
  if (others.length > 0) fields.set('styles', { '@class': 'linked-hash-set', style: others });
  // Layers are enabled unless the document says otherwise.
  if (findFlag(root, 'enabled') === undefined) fields.delete('enabled');
  return Object.fromEntries(fields);
}

/** The reference to an imported style; undefined without one. */
function findStyle(
  { index, report }: Move,
  element: XmlElement,
  { workspace }: SourceStore,
  subject: Subject,
): Json | undefined {
  const reference = readReference(element);
  if (reference === undefined) return undefined;
  const found = findStyleReference(index, reference, workspace);
  if ('reference' in found) return found.reference;
  report.add('style-dangling', subject, found.fault);
  return undefined;
}

function replaceStyle({ report }: Move, { style }: ResourceForm, subject: Subject): string {
  report.add('style-replaced', subject, `The layer gets the built-in style '${style}'.`);
  return style;
}
