/** A file that came with a configuration. */
export interface UploadedFile {
  /** Where it is now. */
  readonly file: string;
  readonly bytes: number;
}
