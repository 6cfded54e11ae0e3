/** Operations on resources of every kind: publish with a layer, rename, move and delete. */
import { layerNames } from '../../lib/text/name-rule.ts';
import type { DataAttribution } from '../../lib/tile-archive/data-attribution.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { checkName, type NameRule } from '../../records/names.ts';
import type { DraftOf } from '../../records/record.ts';
import type { Workspace } from '../../records/workspace.ts';
import { layerKind } from '../kinds/layer.ts';
import { toLayerAttribution } from '../kinds/layer-metadata.ts';
import { references } from '../kinds/references.ts';
import type { Resource, ResourceKind } from '../kinds/resource.ts';
import { resourceKinds } from '../kinds/resource-kinds.ts';
import type { Store } from '../kinds/store.ts';
import { checkNotInGroups } from '../layers/layers.ts';
import { removeWorkspaceStyles } from '../layers/style-references.ts';
import { checkResourceNameAvailable } from './find-resource.ts';

/** The name of a resource is part of its URL and may come from data, so it is checked here. */
const layerNameRule: NameRule = { what: 'layer', field: 'name', ...layerNames };

/** A resource to insert, with what its data states for its layer. */
interface NewResource<R extends Resource> {
  readonly draft: DraftOf<R>;
  readonly attribution?: DataAttribution | undefined;
}

/** Inserts a resource and its layer within a transaction. */
export async function insertResource<R extends Resource>(
  transaction: CatalogTransaction,
  kind: ResourceKind<R>,
  workspace: Workspace,
  { draft, attribution: stated }: NewResource<R>,
): Promise<R> {
  checkName(draft.name, layerNameRule);
  await checkResourceNameAvailable(transaction, workspace, draft.name);
  const resource = await transaction.insert(kind, draft);
  const attribution = toLayerAttribution(stated);
  await transaction.insert(layerKind, {
    parent: resource.id,
    name: resource.name,
    workspace: workspace.id,
    defaultStyle: kind.selectDefaultStyle(resource),
    enabled: true,
    ...(attribution === undefined ? {} : { attribution }),
  });
  return resource;
}

/** Writes a changed resource; its layer and the access rules follow a rename. */
export async function updateResource<R extends Resource>(
  transaction: CatalogTransaction,
  kind: ResourceKind<R>,
  workspace: Workspace,
  change: { readonly from: R; readonly to: R },
): Promise<void> {
  const { from, to } = change;
  if (to.name !== from.name) {
    await checkResourceNameAvailable(transaction, workspace, to.name);
    await references.followNameChanges(transaction, [
      { kind: 'layer', from: [workspace.name, from.name], to: [workspace.name, to.name] },
    ]);
    for (const layer of await transaction.list(layerKind, from.id)) {
      await transaction.update(layerKind, { ...layer, name: to.name });
    }
  }
  await transaction.update(kind, to);
}

/** Moves the resources of a store to another workspace; names that are taken there stop the move. */
export async function moveResources(
  transaction: CatalogTransaction,
  store: Store,
  workspace: { readonly from: Workspace; readonly to: Workspace },
): Promise<void> {
  const { from, to } = workspace;
  for (const kind of resourceKinds) {
    const resources = await transaction.list(kind, store.id);
    await references.followNameChanges(
      transaction,
      resources.map(({ name }) => ({ kind: 'layer', from: [from.name, name], to: [to.name, name] })),
    );
    for (const resource of resources) {
      await checkResourceNameAvailable(transaction, to, resource.name);
      await transaction.update(kind, { ...resource, workspace: to.id });
      for (const layer of await transaction.list(layerKind, resource.id)) {
        // Groups of a workspace contain only its layers, so they block the move; global groups do not.
        await checkNotInGroups(transaction, layer, from, (holder) => holder.parent === from.id);
        const free = await removeWorkspaceStyles(transaction, layer);
        await transaction.update(layerKind, { ...free, workspace: to.id });
      }
    }
  }
}

export async function deleteResource<R extends Resource>(
  transaction: CatalogTransaction,
  kind: ResourceKind<R>,
  resource: R,
  options: { readonly recurse: boolean },
): Promise<void> {
  if (!options.recurse) {
    const { first: blockers, total } = await references.findBlockers(transaction, resource);
    if (total > 0) {
      throw kind.createInUseProblem({ name: resource.name, blockers });
    }
  }
  await references.remove(transaction, resource);
}
