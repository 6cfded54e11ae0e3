/** A file sent with a configuration. */
export interface UploadedFile {
  /** Its current path on disk. */
  readonly file: string;
  readonly bytes: number;
}
