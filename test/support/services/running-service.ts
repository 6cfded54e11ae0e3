/** A private server that was started for the tests: how to reach it, and how to be rid of it. */
export interface RunningService<Details> {
  readonly details: Details;
  /** Ends the server and removes everything it left on the disk. */
  stop(): Promise<void>;
}
