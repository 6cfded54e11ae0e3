/** The neutral tree of a response; XML, JSON and HTML are its serializations. */

import type { Crumb, Html } from './html-page.ts';

/** The segments of a resource path below the REST root, unencoded. */
export type ResourcePath = readonly string[];

export type OutputNode =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | OutputObject
  | OutputList
  /** Children with different names: repeated elements in XML, an array of their values in JSON. */
  | { readonly kind: 'sequence'; readonly members: readonly OutputMember[] }
  /** One element for each item in XML, an array in JSON. */
  | { readonly kind: 'repeated'; readonly items: readonly string[] }
  /** `entry` elements with a `key` in XML, one for each value; a plain object in JSON. */
  | { readonly kind: 'dictionary'; readonly entries: readonly (readonly [string, string | readonly string[]])[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: string, value: string])[] }
  /** A link to a collection: an atom link inside the element in XML, the URL itself in JSON. */
  | { readonly kind: 'collectionLink'; readonly path: ResourcePath };

export interface OutputObject {
  readonly kind: 'object';
  readonly members: readonly OutputMember[];
  /** XML attributes; JSON members with a leading `@`. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The text of an element with attributes; `$` in JSON. */
  readonly text?: string;
  /** The path of the object, if it is a reference inside another document. */
  readonly link?: ResourcePath;
  /** Names that equal the name of this object plus an extension, so that its link would be ambiguous. */
  readonly siblings?: readonly string[];
  /** A remark, shown on HTML pages only. */
  readonly note?: string;
}

export interface OutputList {
  readonly kind: 'list';
  readonly itemName: string;
  readonly items: readonly OutputNode[];
  /** XML attributes; JSON members with a leading `@`. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The items of a long list can be produced while the previous ones are sent. */
export type OutputItems = Iterable<OutputNode> | AsyncIterable<OutputNode>;

/** A document that is a list: only the document itself can be long. */
export type OutputListing = Omit<OutputList, 'items'> & { readonly items: OutputItems };

export interface OutputMember {
  readonly name: string;
  readonly node: OutputNode;
}

/** A response: its root element and the title of its page. */
export interface OutputDocument<N extends OutputNode | OutputListing = OutputNode | OutputListing> {
  readonly root: string;
  readonly node: N;
  /** The heading of the page. */
  readonly title: string;
  /** Differences in JSON: another root key, no root key (null), or another tree. */
  readonly json?: { readonly root: string | null; readonly node?: N };
  /** A custom page, if the default view of the tree is not suitable. */
  readonly page?: OutputPage;
}

export interface OutputPage {
  writeContent(context: WriteContext): Html;
  /** The breadcrumbs, if they cannot be derived from the path pattern. */
  readonly crumbs?: readonly Crumb[];
  /** Links to the other formats, if they differ from the default. */
  readonly alternates?: readonly Crumb[];
  /** Whether the page contains a form that is sent to this server. */
  readonly hasForm?: true;
  /** The interval after which a browser reloads the page. */
  readonly refreshSeconds?: number;
}

/** The context of serialization. */
export interface WriteContext {
  /** Returns the absolute URL of a resource, without an extension. */
  readonly buildUrl: (path: ResourcePath) => string;
  readonly emptyJsonList: 'array' | 'empty string';
  readonly singleJsonItem: 'array' | 'bare item';
  readonly listingLinkType: string;
}
