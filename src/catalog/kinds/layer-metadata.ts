/** What map clients are told of a layer or a layer group: whom it is from, and by whom it is known. */

/** Whom a layer is from; a logo of no size has none that is known. */
export interface Attribution {
  readonly title: string | null;
  readonly href: string | null;
  readonly logoURL: string | null;
  readonly logoWidth: number;
  readonly logoHeight: number;
  readonly logoType: string | null;
}

/** Somebody who gives identifiers to layers, and where they tell of it. */
export interface AuthorityUrl {
  readonly name: string;
  readonly href: string;
}

export interface LayerIdentifier {
  readonly authority: string;
  readonly identifier: string;
}
