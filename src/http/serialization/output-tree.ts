/** The neutral tree that a resource is written into; XML, JSON and HTML are three ways to print it. */

import type { Crumb, Html } from './html-page.ts';

/** The segments of a resource's path below the REST root, not yet encoded. */
export type ResourcePath = readonly string[];

export type OutputNode =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | OutputObject
  | OutputList
  /** Children of different names: repeated elements in XML, a plain array of their values in JSON. */
  | { readonly kind: 'sequence'; readonly members: readonly OutputMember[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: string, value: string])[] }
  /** A link to a collection: an atom link inside the element in XML, the URL itself in JSON. */
  | { readonly kind: 'collectionLink'; readonly path: ResourcePath };

export interface OutputObject {
  readonly kind: 'object';
  readonly members: readonly OutputMember[];
  /** XML attributes; JSON members with an `@` in front. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The text of an element with attributes; `$` in JSON. */
  readonly text?: string;
  /** Where the object itself is found, for an object named inside another document. */
  readonly link?: ResourcePath;
  /** Names beside the object's own that a link could be mistaken for: those that look like it with an extension. */
  readonly siblings?: readonly string[];
  /** A remark for people, shown on pages only. */
  readonly note?: string;
}

export interface OutputList {
  readonly kind: 'list';
  readonly itemName: string;
  readonly items: readonly OutputNode[];
  /** XML attributes; JSON members with an `@` in front. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Items of a long list may be made, or even read, while those before them are sent. */
export type OutputItems = Iterable<OutputNode> | AsyncIterable<OutputNode>;

/** A document that is a list: nothing but the document itself can be long. */
export type OutputListing = Omit<OutputList, 'items'> & { readonly items: OutputItems };

export interface OutputMember {
  readonly name: string;
  readonly node: OutputNode;
}

/** A whole reply: its root element and, for readers of pages, what to call it. */
export interface OutputDocument<N extends OutputNode | OutputListing = OutputNode | OutputListing> {
  readonly root: string;
  readonly node: N;
  /** What the page of this document is headed with. */
  readonly title: string;
  /** Where JSON differs: another root key, none at all (null), or another tree. */
  readonly json?: { readonly root: string | null; readonly node?: N };
  /** A page of its own making, where a plain view of the tree would not do. */
  readonly page?: OutputPage;
}

export interface OutputPage {
  writeContent(context: WriteContext): Html;
  /** The way up, where the pattern of the path does not tell it. */
  readonly crumbs?: readonly Crumb[];
  /** Links to the same in other formats, where it should not be a click away from them. */
  readonly alternates?: readonly Crumb[];
  /** After how long a browser loads the page again. */
  readonly refreshSeconds?: number;
}

/** What a writer needs to know beside the document. */
export interface WriteContext {
  /** The absolute URL of a resource, without an extension. */
  readonly buildUrl: (path: ResourcePath) => string;
  readonly emptyJsonList: 'array' | 'empty string';
  readonly singleJsonItem: 'array' | 'bare item';
  readonly listingLinkType: string;
}
