/** The translation of a data directory of GeoServer to a configuration, which runs in a worker. */

export interface DirectoryToTranslate {
  /** The folder with the unpacked files of an archive, and their names in it. */
  readonly folder: string;
  readonly names: readonly string[];
  /** The password of the keystore; the default passwords are tried without one. */
  readonly masterPassword: string | undefined;
  /** The path of all services of this server, such as `/geoserver`. */
  readonly contextPath: string;
  /** The expressions of the enabled URL checks. */
  readonly urlChecks: readonly string[];
  readonly addsUrlChecks: boolean;
}

export type DirectoryTranslation =
  | {
      readonly kind: 'translated';
      /** The report and the configuration as one JSON document in UTF-8. */
      readonly document: Uint8Array;
    }
  /** The files are no data directory, or the password does not open the keystore. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string };

export type TranslateDirectory = (
  directory: DirectoryToTranslate,
  signal: AbortSignal,
) => Promise<DirectoryTranslation>;
