/** What a source contains, by the ids and names with which its documents refer to each other. */
import type { Reference } from '../read/values.ts';

export interface SourceWorkspace {
  /** The directory, such as `workspaces/acme`. */
  readonly folder: string;
  /** The name in the source. */
  readonly name: string;
  /** The name on the target. */
  readonly target: string;
  /** The URI of its namespace in the source. */
  readonly uri: string | undefined;
  /** The URI on the target; undefined if the target chooses it. */
  readonly targetUri: string | undefined;
}

export type StoreKind = 'dataStore' | 'coverageStore' | 'wmsStore' | 'wmtsStore';

export interface SourceStore {
  readonly kind: StoreKind;
  readonly folder: string;
  readonly workspace: SourceWorkspace;
  readonly name: string;
  readonly path: string;
  /** Whether it is part of the archive; otherwise the report has the reason. */
  readonly isImported: boolean;
}

export interface SourceStyle {
  readonly name: string;
  readonly target: string;
  readonly workspace: SourceWorkspace | null;
  readonly isImported: boolean;
}

/** A layer or group of the archive. */
export interface SourceLayer {
  readonly type: 'layer' | 'layerGroup';
  /** The name in the source. */
  readonly name: string;
  readonly target: string;
  readonly workspace: SourceWorkspace | null;
}

export class SourceIndex {
  readonly #workspaces = new Map<string, SourceWorkspace>();
  readonly #uris = new Map<string, SourceWorkspace>();
  readonly #namespaces = new Map<string, SourceWorkspace>();
  readonly #stores = new Map<string, SourceStore>();
  readonly #styles = new Map<string, SourceStyle>();
  readonly #layers = new Map<string, SourceLayer>();
  readonly #groups: SourceLayer[] = [];
  readonly #unidentified: SourceLayer[] = [];
  /** Layers and groups by name, once a document needs them. */
  #names: ReadonlyMap<string, SourceLayer> | undefined;
  /** The names of resources on the target by directory, only for those with further files. */
  readonly #folders = new Map<string, string>();
  readonly workspaces: SourceWorkspace[] = [];
  readonly stores: SourceStore[] = [];
  /** The CRS codes of imported resources. */
  readonly codes = new Set<string>();

  /** Each of these returns whether the id is new; the first resource with an id keeps it. */
  addWorkspace(workspace: SourceWorkspace, id: string | undefined): boolean {
    this.workspaces.push(workspace);
    addFirst(this.#uris, workspace.uri, workspace);
    return addFirst(this.#workspaces, id, workspace);
  }

  addNamespace(workspace: SourceWorkspace, id: string | undefined): boolean {
    return addFirst(this.#namespaces, id, workspace);
  }

  addStore(store: SourceStore, id: string | undefined): boolean {
    this.stores.push(store);
    return addFirst(this.#stores, id, store);
  }

  addStyle(style: SourceStyle, id: string | undefined): boolean {
    addFirst(this.#styles, formatStyleKey(style.name, style.workspace?.name), style);
    return addFirst(this.#styles, id, style);
  }

  addLayer(given: SourceLayer, id: string | undefined): boolean {
    const layer = { ...given, name: copyText(given.name), target: copyText(given.target) };
    if (layer.type === 'layerGroup') this.#groups.push(layer);
    else if (id === undefined) this.#unidentified.push(layer);
    this.#names = undefined;
    return addFirst(this.#layers, id === undefined ? undefined : copyText(id), layer);
  }

  addFolder(folder: string, resource: string): void {
    this.#folders.set(folder, resource);
  }

  /** Returns the name on the target of the imported resource in a directory. */
  findFolder(folder: string): string | undefined {
    return this.#folders.get(folder);
  }

  findWorkspace(id: string): SourceWorkspace | undefined {
    return this.#workspaces.get(id);
  }

  findWorkspaceByName(name: string): SourceWorkspace | undefined {
    return this.workspaces.find((workspace) => workspace.name === name);
  }

  /** Isolated workspaces can have the URI of another one, which precedes. */
  findWorkspaceByUri(uri: string): SourceWorkspace | undefined {
    return this.#uris.get(uri);
  }

  findNamespace(id: string): SourceWorkspace | undefined {
    return this.#namespaces.get(id);
  }

  findStore(id: string): SourceStore | undefined {
    return this.#stores.get(id);
  }

  /** Documents refer to styles by id or name; a workspace can hide a global style of the same name. */
  findStyle({ id, name }: Reference, workspace: SourceWorkspace | null): SourceStyle | undefined {
    const found = id === undefined ? undefined : this.#styles.get(id);
    // Some documents have a name in the place of the id.
    const text = name ?? id;
    if (found !== undefined || text === undefined) return found;
    const colon = text.indexOf(':');
    return (
      (colon > 0 ? this.#styles.get(formatStyleKey(text.slice(colon + 1), text.slice(0, colon))) : undefined) ??
      (workspace === null ? undefined : this.#styles.get(formatStyleKey(text, workspace.name))) ??
      this.#styles.get(formatStyleKey(text))
    );
  }

  findLayer(
    { id, name }: Reference,
    type: SourceLayer['type'],
    workspace: SourceWorkspace | null,
  ): SourceLayer | undefined {
    const found = id === undefined ? undefined : this.#layers.get(id);
    const text = name ?? id;
    if (found !== undefined || text === undefined) return found;
    const colon = text.indexOf(':');
    return (
      (colon > 0 ? this.findNamedLayer(type, text.slice(colon + 1), text.slice(0, colon)) : undefined) ??
      (workspace === null ? undefined : this.findNamedLayer(type, text, workspace.name)) ??
      this.findNamedLayer(type, text)
    );
  }

  findNamedLayer(type: SourceLayer['type'], name: string, workspace?: string): SourceLayer | undefined {
    this.#names ??= this.#indexNames();
    return this.#names.get(formatLayerKey(type, name, workspace));
  }

  /** Most documents refer to ids, so that few sources need the names of a hundred thousand layers. */
  #indexNames(): ReadonlyMap<string, SourceLayer> {
    const names = new Map<string, SourceLayer>();
    for (const layer of [...this.#layers.values(), ...this.#groups, ...this.#unidentified]) {
      addFirst(names, formatLayerKey(layer.type, layer.name, layer.workspace?.name), layer);
    }
    return names;
  }
}

function addFirst<V>(map: Map<string, V>, key: string | undefined, value: V): boolean {
  if (key === undefined) return true;
  if (map.has(key)) return false;
  map.set(key, value);
  return true;
}

/** A part of a document keeps the whole document in memory. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/** Ids contain no control characters, so that keys and ids differ. */
function formatStyleKey(name: string, workspace = ''): string {
  return `\u0001${workspace}\u0001${name}`;
}

function formatLayerKey(type: string, name: string, workspace = ''): string {
  return `\u0001${type}\u0001${workspace}\u0001${name}`;
}

/** The qualified name on the target. */
export function formatTarget({ target, workspace }: Pick<SourceStyle, 'target' | 'workspace'>): string {
  return workspace === null ? target : `${workspace.target}:${target}`;
}
