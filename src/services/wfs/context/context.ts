/** What the operations of a WFS work with: who asks where, and what the server has. */
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
  /** Where this service is asked, as the client knows it. */
  readonly address: string;
  /** Before the names of workspaces, as the client knows it. */
  readonly root: string;
  /** The pairs that were sent, from which addresses of other pages are made; undefined for a document. */
  readonly parameters: Parameters | undefined;
  readonly now: () => Date;
  /** Given when the client is gone. */
  readonly signal: AbortSignal;
}

/** The type of a name. What is hidden is as unknown as what is not there. */
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

/** Undefined for what is hidden or not there. */
export async function findPublishedType(
  { featureAccess, services }: WfsContext,
  { prefix, uri, local }: TypeName,
  wish: AccessMode,
): Promise<PublishedType | undefined> {
  // Names that XML does not take are written so in our documents.
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
