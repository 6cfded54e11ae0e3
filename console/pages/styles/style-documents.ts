/** The documents of styles, and their paths. */
import { callService, rest } from '../../rest/client.ts';
import { path } from '../../shell/router.ts';
import { getMediaType, type StyleFormat, type StyleLanguage } from '../../style-text/languages.ts';

export interface StyleEntry {
  readonly name: string;
  /** With details, like the following members. */
  readonly format?: StyleLanguage;
  readonly builtIn?: boolean;
  readonly layers?: readonly string[];
}

/** An empty list is an empty text. */
export interface StyleList {
  readonly styles: '' | { readonly style: readonly StyleEntry[] };
}

export interface StyleDocument {
  readonly style: {
    readonly name: string;
    readonly workspace?: { readonly name: string };
    readonly format: StyleLanguage;
    readonly languageVersion?: { readonly version: string };
    readonly dateModified?: string;
  };
}

/** Where a style is: in a workspace, or global. */
export interface StylePlace {
  readonly workspace: string | undefined;
  readonly name: string;
}

export function getCollectionPath(workspace: string | undefined): string {
  return workspace === undefined ? '/styles' : rest`/workspaces/${workspace}/styles`;
}

export function getRestPath({ workspace, name }: StylePlace): string {
  return `${getCollectionPath(workspace)}${rest`/${name}`}`;
}

/** The address of its page. */
export function getPagePath({ workspace, name }: StylePlace): string {
  return workspace === undefined ? path`styles/${name}` : path`w/${workspace}/styles/${name}`;
}

/** As layers name it. */
export function parseStyleName(qualified: string): StylePlace {
  const colon = qualified.indexOf(':');
  return colon < 0
    ? { workspace: undefined, name: qualified }
    : { workspace: qualified.slice(0, colon), name: qualified.slice(colon + 1) };
}

export function formatStyleName({ workspace, name }: StylePlace): string {
  return workspace === undefined ? name : `${workspace}:${name}`;
}

export interface StyleText {
  readonly text: string;
  readonly etag: string;
}

/** Reads the text in its own language. */
export async function readStyleText(
  place: StylePlace,
  language: StyleLanguage,
  signal?: AbortSignal,
): Promise<StyleText> {
  const reply = await callService(`rest${getRestPath(place)}.${language}`, { signal, accept: '*/*' });
  return { text: await reply.text(), etag: reply.headers.get('etag') ?? '' };
}

/** Reads the text as SLD. */
export async function readStyleSld(place: StylePlace, signal?: AbortSignal): Promise<string> {
  const reply = await callService(`rest${getRestPath(place)}.sld`, { signal, accept: '*/*' });
  return reply.text();
}

/** Creates a style; the reply has the number of the change. */
export async function createStyle(
  place: StylePlace,
  format: StyleFormat,
  text: string,
): Promise<{ readonly change: number | null }> {
  const query = new URLSearchParams({ name: place.name });
  const reply = await callService(`rest${getCollectionPath(place.workspace)}?${query}`, {
    method: 'POST',
    body: text,
    contentType: getMediaType(format),
  });
  const change = reply.headers.get('graticule-change');
  return { change: change === null ? null : Number(change) };
}
