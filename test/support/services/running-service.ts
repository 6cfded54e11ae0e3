/** A private server for the tests: its details, and how to stop it. */
export interface RunningService<Details> {
  readonly details: Details;
  /** Stops the server and deletes all its files. */
  stop(): Promise<void>;
}
