/** Limits that operators cannot configure, with the reason for each value. */
export const limits = {
  /**
   * A database that starts together with its nodes is ready within seconds; a misspelt address should be reported soon.
   */
  start: { forMs: 30_000, pauseMs: 500 },
  /** Configuration documents are nested a dozen levels deep, SLD filters a few more. */
  maxDepth: 100,
  /** About the number of elements in a style of 10 MB. */
  maxNodes: 500_000,
  /** Other nodes show the last use of a token after this time at the latest. */
  tokenUseMs: 30_000,
  /** Failed sign-ins within the window: many for a person who mistypes, few for a program that guesses. */
  login: {
    windowMs: 60_000,
    perAccountAndAddress: 10,
    perAddress: 100,
    perAccount: 200,
    accountDelayMs: 1_000,
  },
  /**
   * Connections to one LDAP directory: a sign-in takes milliseconds, and the directory serves other clients as well.
   */
  ldap: {
    maxConnections: 16,
    maxWaiting: 5_000,
    /** A page sends several requests at a time and then none. */
    idleMs: 30_000,
  },
  /** Deletion of history beyond the configured age. */
  history: {
    /** Not urgent, so it does not compete with start-up work. */
    firstAfterMs: 300_000,
    /** The configured age is in days. */
    everyMs: 86_400_000,
    /** A step takes as long as a small change. */
    entriesPerStep: 100,
    /** Deleting a million entries takes half an hour at this rate, without a noticeable delay for writers. */
    pauseMs: 200,
  },
  /** Deletion of responses stored for idempotent retries, which are kept for a day. */
  keptReplies: { firstAfterMs: 600_000, everyMs: 3_600_000, entriesPerStep: 500, pauseMs: 200 },
  /** How long a client can stall while it reads a response: even on a poor line some bytes arrive within a minute. */
  sendTimeoutMs: 60_000,
  /** How often the permissions of event streams are checked: a stream without permission ends within 5 seconds. */
  rightsCheckMs: 2_000,
  /** How often the files of the certificate are compared with the one in use. */
  certificateCheckMs: 2_000,
  /** Event streams. */
  events: {
    /** Proxies close connections that are idle for a minute; the documented interval is 15 seconds. */
    keepAliveMs: 12_000,
  },
  /** Delivery of events to webhooks. */
  webhooks: {
    /** Receivers are expected to queue events and process them later. */
    timeoutMs: 10_000,
    firstRetryMs: 1_000,
    longestRetryMs: 300_000,
  },
  /** Time extents of collections, which some data computes slowly. */
  extents: { patienceMs: 300, budgetMs: 5_000 },
  /** Users wait for tiles. Low-level tiles of large data contain the features read until then. */
  tileReadingMs: 5_000,
  /** Local copies of shared files: a reader opens its file within this time. */
  fileCache: { graceMs: 900_000 },
  /**
   * Work that one of several nodes does for all: a pause of half a minute is acceptable, and a dead node is replaced
   * soon.
   */
  claims: { claimMs: 20_000, renewMs: 5_000 },
  /** How often nodes report the progress of tile jobs, which users watch. */
  tileJobsMs: 2_000,
  /** Tile exports: users watch their progress, and download an archive within days. */
  tileExports: { progressMs: 1_000, keepMs: 604_800_000 },
  /** A sample costs 3 ms and is only shown on a page. */
  systemSampleMs: 5_000,
  /** URLs that the server opens. */
  url: {
    /** Many servers reject longer URLs, and every URL check scans the whole text. */
    maxLength: 2_048,
    /** Browsers stop at 20; a service that has moved needs one or two. */
    maxRedirects: 5,
    /** The default for a whole download, long enough for a large raster on a slow line. */
    timeoutMs: 300_000,
    /** How long the remote server can send nothing. */
    idleTimeoutMs: 30_000,
    /** The default, equal to the limit for inflated archives. */
    maxBytes: 17_179_869_184,
    /** Ten times the size that servers usually send. */
    maxHeaderBytes: 16_384,
  },
  /** ZIP archives that clients upload. */
  archive: {
    /** A mosaic of one year with hourly granules has 8,760. */
    maxEntries: 20_000,
    /** 8 GiB: twice the maximum size of a classic GeoTIFF (4 GiB) or of a shapefile component. */
    maxEntryBytes: 8_589_934_592,
    /** 16 GiB in total. Larger data can be copied to the server and referenced with `external`. */
    maxTotalBytes: 17_179_869_184,
    /** Compression ratio of an entry: text and empty rasters reach 100, ZIP bombs 1,000. */
    maxRatio: 200,
    /** Smaller entries are exempt from the ratio: a file of zeros is harmless. */
    ratioFromBytes: 10_485_760,
    /** The limit of file systems for a name, and for a path with room for the target folder. */
    maxNameBytes: 255,
    maxPathBytes: 1_024,
    /** Nesting of folders; data sets use two or three levels. */
    maxDepth: 20,
  },
  /** Tiles in memory in addition to those on disk; one map shows about a hundred. */
  tileMemoryBytes: 33_554_432,
  /** Blocks of remote files in memory: a map of one file needs up to 5 MB of them. */
  remoteBytes: 67_108_864,
  /** Saving a store reports whether its data is reachable: a database nearby responds in milliseconds. */
  storeProbeMs: 2_000,
  /** Threads for work that would block the main thread: reading, converting and drawing styles. */
  workers: {
    /** With less than 3 GB of memory; larger budgets have one for each gigabyte, up to `--workers`. */
    maxThreads: 2,
    /** Lets short tasks overtake long ones. */
    extraThreads: 1,
    /** Users upload large styles a few at a time; scripts upload hundreds, one after the other. */
    maxWaiting: 100,
    /** The largest style takes 3 s; 25 s were measured with eight others on two cores. */
    deadlineMs: 60_000,
    /** The densest style of the maximum size takes two thirds of it. */
    maxMemoryMegabytes: 1_024,
    /** Nearly all objects of a style are short-lived: a smaller young generation would copy them. */
    maxYoungMegabytes: 96,
    /** Starting a thread takes 0.2 s, and its first style takes 0.2 s more. */
    idleMs: 60_000,
  },
  /**
   * Threads for GeoPackages, whose library blocks its thread. They are separate from the threads above, because an
   * import holds one thread for reading and one for writing for its whole duration.
   */
  dataWorkers: {
    /**
     * Twice the number that an import holds, so that readers do not wait for it. Large budgets have more, up to twice
     * `--workers`.
     */
    maxThreads: 4,
    /** One store can hold three threads and one client two, while another client reads the same store. */
    extraThreads: 2,
    maxWaiting: 200,
    /** For one batch of features or one description; the store timeout is a setting. */
    deadlineMs: 60_000,
    /** A batch of features takes a megabyte, one geometry at most 256. */
    maxMemoryMegabytes: 1_024,
    /** No object outlives its batch, so a small young generation is collected sooner at the same cost. */
    maxYoungMegabytes: 6,
    idleMs: 60_000,
  },
  /** Threads for filters that take long to evaluate; in shared threads they would delay other work. */
  filterWorkers: {
    /** With less than 3 GB of memory; larger budgets have one for each gigabyte, up to `--workers`. */
    maxThreads: 2,
    /** Lets short tasks overtake long ones. */
    extraThreads: 1,
    /** Each reader has at most two batches in progress. */
    maxWaiting: 100,
    /** Never reached: each batch has its own deadline, and each reader a limit of CPU time. */
    deadlineMs: 60_000,
    /** The values of a batch, including one geometry of 256 MB, and the largest filter prepared eight times. */
    maxMemoryMegabytes: 512,
    /** Starting a thread takes a tenth of a second. */
    idleMs: 60_000,
  },
  /** Threads that unpack uploads. */
  unpackWorkers: {
    /** Two entries of an archive are inflated concurrently; more archives would only compete. */
    maxThreads: 2,
    extraThreads: 1,
    maxWaiting: 100,
    /** The limits of archives bound the work: the largest takes some minutes. */
    deadlineMs: 600_000,
    /** Buffers are outside the heap, which holds only a list of files. */
    maxMemoryMegabytes: 256,
    /** Scripts upload files one after the other; the buffers of a thread are freed with it. */
    idleMs: 5_000,
  },
  /** Threads that read the headers of harvested files, so that readers of data do not wait for a harvest. */
  harvestWorkers: {
    /** On two cores a second thread is no faster, because the index is written concurrently, and it takes 30 MB. */
    maxThreads: 1,
    /** Each harvest has three sets of files in progress. */
    maxWaiting: 100,
    /** For the headers of one set of files; a harvest ends with its files, or when its client disconnects. */
    deadlineMs: 600_000,
    /** The headers of a hundred files; the NetCDF library allocates its memory outside the heap. */
    maxMemoryMegabytes: 512,
    /** No object outlives its batch, so a small young generation is collected sooner at the same cost. */
    maxYoungMegabytes: 6,
    idleMs: 30_000,
  },
  /** Threads that encode features for clients. They are separate from the reading threads to avoid a deadlock. */
  encodeWorkers: {
    /** With less than 3 GB of memory; larger budgets have one for each gigabyte, up to `--workers`. */
    maxThreads: 2,
    /** Never reached: a thread hosts many documents, and there are at most as many hosts as threads. */
    maxWaiting: 2,
    /** For the work between two batches; a document ends with its features, or when its client disconnects. */
    deadlineMs: 600_000,
    /** A batch of features takes some megabytes, one geometry at most 256. */
    maxMemoryMegabytes: 1_024,
    idleMs: 30_000,
  },
  /** Documents of features that the threads above encode. */
  encodings: {
    /** Per thread. Each holds about a megabyte of features and bytes, for as long as a slow client reads. */
    encodings: 100,
    /**
     * A batch takes milliseconds, the largest geometry or GeoPackage some seconds, and ten times that on a busy
     * machine.
     */
    stepMs: 60_000,
  },
  /** Maps that are read, painted or encoded concurrently. */
  mapsUnderWay: {
    /** Twice the usual number of threads: while one map is painted, another is read. */
    places: 4,
    /** One for each thread, and room for maps with slow sources. */
    extraPlaces: 4,
    /** Browsers request a dozen tiles at a time; a client does not wait for a map behind more than a hundred others. */
    maxWaiting: 200,
  },
  /** Joins of feature types that are read or sent concurrently. */
  joins: {
    /** With less than 4 GB of memory; larger budgets have one for each 2 GB, up to 4. */
    places: 1,
    /** Lets the join of another client start while one is sent to a slow client. */
    extraPlaces: 1,
    /** Joins wait without memory, most of them for less than a second. */
    maxWaiting: 100,
  },
  /** The memory of one join: a sixteenth of the memory budget, and at most ten times the largest join of typical data. */
  joinBytes: 268_435_456,
  /** Threads that paint maps while the main thread reads their features. */
  mapWorkers: {
    /** With less than 3 GB of memory; larger budgets have one for each gigabyte, up to `--workers`. */
    maxThreads: 2,
    /** Lets short maps overtake long ones. */
    extraThreads: 1,
    /** Never reached: the semaphore of maps is acquired first. */
    maxWaiting: 2,
    /** For one batch of features; the deadline of a map comes from its request. */
    deadlineMs: 60_000,
    /** Images are outside the heap; styles, labels and a batch of features are inside. */
    maxMemoryMegabytes: 512,
    /** Starting a thread takes a tenth of a second. */
    idleMs: 60_000,
  },
  /** Threads that read and write the index of granules. */
  granuleWorkers: {
    /** One writes while others read pages. */
    maxThreads: 2,
    extraThreads: 1,
    maxWaiting: 100,
    /** A page out of a million granules takes milliseconds, a batch some tens of milliseconds. */
    deadlineMs: 60_000,
    /** Building the index of a large mosaic takes minutes. */
    maxComputingMs: 600_000,
    /** A batch of granules takes some megabytes. */
    maxMemoryMegabytes: 256,
    /** No object outlives its batch, so a small young generation is collected sooner at the same cost. */
    maxYoungMegabytes: 4,
    idleMs: 30_000,
  },
  /** Uploaded styles and their previews. */
  style: {
    /** Ten times the size of large hand-written styles. */
    maxContentBytes: 10_485_760,
    /** A hundred images of one megabyte. */
    maxPackageBytes: 104_857_600,
    /** Previews and packages created concurrently: each takes up to some hundred megabytes. */
    maxRenderings: 2,
    /** For all remote graphics of one preview together; a user waits for the page. */
    graphicsTimeoutMs: 3_000,
    /** Ten times the size of a large symbol. */
    maxGraphicBytes: 2_097_152,
  },
  /**
   * Disk space reserved for deletions. Deleting a store with some layers writes a few hundred kilobytes. On small disks
   * the reserve is a sixteenth of the disk. It is written soon after the start, and again when space is available after
   * it was used.
   */
  diskReserve: { bytes: 8_388_608, share: 1 / 16, firstMs: 3_000, everyMs: 10_000 },
  /** How often a purge is repeated that could not delete bytes because an upload of the same bytes was in progress. */
  purgeRetryMs: 60_000,
  /** How often the checksums of new files are saved. If a crash loses them, the next backup hashes these files. */
  newChecksumsMs: 60_000,

  /** Deletion of files that neither a record nor the history refers to. */
  fileCollection: {
    /** Avoids competing with start-up work. */
    firstMs: 300_000,
    /** Unused files on the disk for another hour cause no harm. */
    everyMs: 3_600_000,
    /** Longer than any run takes, and longer than the clocks of machines differ. */
    graceMs: 3_600_000,
  },
  /** 16 GiB, equal to the limit for inflated archives. */
  maxUploadBytes: 17_179_869_184,
  /** Open sources of vector data; a database uses at most ten connections, so this limits them to a thousand. */
  maxOpenSources: 100,
  /** 1 GiB: the size of indexes over forty million features. */
  maxIndexBytes: 1_073_741_824,
  /** Directories on the server that clients name. */
  directory: {
    /** Ten years of hourly granules with their sidecar files. */
    maxEntries: 200_000,
    maxDepth: 50,
  },
} as const;
