/** The context of WFS operations: access to features, addresses and settings. */
import type { Principal } from '../../../lib/identity/principal.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { workspaceKind } from '../../../records/workspace.ts';
import type { AccessMode, FeatureAccess, FeatureServices } from '../../access/feature-access.ts';
import type { PublishedType } from '../../access/published-type.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { unescapeXmlName } from '../../ows/resolve-selection.ts';
import type { PublicationSettings } from '../../ows/service-settings.ts';
import { formatTypeName, type TypeName } from '../request/request.ts';
import type { WfsSettings } from './settings.ts';

export interface WfsContext {
  readonly services: FeatureServices;
  readonly principal: Principal;
  readonly featureAccess: FeatureAccess;
  readonly settings: WfsSettings;
  readonly publication: PublicationSettings;
  /** The address of this service as the client sees it. */
  readonly address: string;
  /** The base address before the workspace, as the client sees it. */
  readonly root: string;
  /** The key-value pairs, from which page links are built; undefined for an XML request. */
  readonly parameters: Parameters | undefined;
  readonly now: () => Date;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Returns a type by name. Hidden types are reported as unknown. */
export async function getPublishedType(
  context: WfsContext,
  typeName: TypeName,
  wish: AccessMode,
): Promise<PublishedType> {
  const found = await findPublishedType(context, typeName, wish);
  if (found === undefined) {
    throw problem('wfs-type-unknown', { name: formatTypeName(typeName), field: 'typeName' });
  }
  return found;
}

/** Returns undefined for hidden and missing types. */
export async function findPublishedType(
  { featureAccess, services }: WfsContext,
  { prefix, uri, local }: TypeName,
  wish: AccessMode,
): Promise<PublishedType | undefined> {
  // Names that are invalid in XML are escaped in our documents.
  for (const name of new Set([local, unescapeXmlName(local)])) {
    if (uri !== undefined) {
      const [workspace] = await services.catalog.findByKey(workspaceKind, 'uri', uri, 1);
      const found = workspace && (await featureAccess.find(`${workspace.name}:${name}`, wish));
      if (found !== undefined) return found;
    }
    const workspace = prefix === undefined ? '' : `${unescapeXmlName(prefix)}:`;
    const found = await featureAccess.find(`${workspace}${name}`, wish);
    if (found !== undefined) return found;
  }
  return undefined;
}
