/** A layer group as values of its form, and the document that changes it. */
import type { BoundingBox } from '../../../rest/types.ts';

export const groupModes = ['SINGLE', 'OPAQUE_CONTAINER', 'NAMED', 'CONTAINER', 'EO'] as const;
export type GroupMode = (typeof groupModes)[number];

export interface GroupDocument {
  readonly name: string;
  readonly mode?: GroupMode;
  readonly title?: string;
  readonly abstractTxt?: string;
  readonly enabled?: boolean;
  readonly advertised?: boolean;
  readonly rootLayer?: { readonly name: string };
  readonly rootLayerStyle?: { readonly name: string };
  readonly publishables?: { readonly published: PublishedMember | readonly PublishedMember[] };
  readonly styles?: { readonly style: StyleEntry | readonly StyleEntry[] };
  readonly bounds?: BoundingBox & { readonly crs?: string };
}

interface PublishedMember {
  readonly '@type': MemberType;
  readonly name: string;
}

type StyleEntry = '' | { readonly name: string } | null;

export type MemberType = 'layer' | 'layerGroup';

export interface Member {
  readonly type: MemberType;
  /** With its workspace, except for global groups. */
  readonly name: string;
  /** Empty for the default. */
  readonly style: string;
}

export interface GroupDraft {
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly mode: GroupMode;
  readonly enabled: boolean;
  readonly advertised: boolean;
  readonly rootLayer: string;
  readonly rootStyle: string;
  /** The lowest first. */
  readonly members: readonly Member[];
}

export const newGroup: GroupDraft = {
  ...{ name: '', title: '', abstract: '', mode: 'SINGLE', enabled: true, advertised: true, rootLayer: '' },
  ...{ rootStyle: '', members: [] },
} as const;

export function readGroup(document: GroupDocument): GroupDraft {
  const published = [document.publishables?.published ?? []].flat();
  const styles = [document.styles?.style ?? []].flat();
  return {
    name: document.name,
    title: document.title ?? '',
    abstract: document.abstractTxt ?? '',
    mode: document.mode ?? 'SINGLE',
    enabled: document.enabled ?? true,
    advertised: document.advertised ?? true,
    rootLayer: document.rootLayer?.name ?? '',
    rootStyle: document.rootLayerStyle?.name ?? '',
    members: published.map((each, index) => {
      const style = styles[index];
      return { type: each['@type'], name: each.name, style: style ? style.name : '' };
    }),
  };
}

/** Only what differs is sent; members and styles belong together. */
export function createGroupChanges(
  before: GroupDraft | undefined,
  after: GroupDraft,
): Readonly<Record<string, unknown>> {
  const isOther = (...names: readonly (keyof GroupDraft)[]) =>
    before === undefined || names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const root = after.mode === 'EO';
  return {
    ...(isOther('name') ? { name: after.name } : {}),
    ...(isOther('title') ? { title: after.title || null } : {}),
    ...(isOther('abstract') ? { abstractTxt: after.abstract || null } : {}),
    ...(isOther('mode') ? { mode: after.mode } : {}),
    ...(isOther('enabled') ? { enabled: after.enabled } : {}),
    ...(isOther('advertised') ? { advertised: after.advertised } : {}),
    ...(isOther('mode', 'rootLayer', 'rootStyle') && (root || before?.mode === 'EO')
      ? {
          rootLayer: root && after.rootLayer !== '' ? { name: after.rootLayer } : null,
          rootLayerStyle: root && after.rootStyle !== '' ? { name: after.rootStyle } : null,
        }
      : {}),
    ...(isOther('members')
      ? {
          publishables: { published: after.members.map(({ type, name }) => ({ '@type': type, name })) },
          styles: { style: after.members.map(({ style }) => (style === '' ? '' : { name: style })) },
        }
      : {}),
  };
}
