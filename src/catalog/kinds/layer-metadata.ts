/** Metadata of a layer or layer group for map clients: attribution and authorities. */

/** The attribution of a layer; a logo of size 0 has an unknown size. */
export interface Attribution {
  readonly title: string | null;
  readonly href: string | null;
  readonly logoURL: string | null;
  readonly logoWidth: number;
  readonly logoHeight: number;
  readonly logoType: string | null;
}

/** An authority that assigns identifiers to layers, with its URL. */
export interface AuthorityUrl {
  readonly name: string;
  readonly href: string;
}

export interface LayerIdentifier {
  readonly authority: string;
  readonly identifier: string;
}
