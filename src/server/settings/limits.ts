/** Limits that are not the operator's business, together in one place, with the reason for each number. */
export const limits = {
  /** A database that is started with its nodes is there within seconds; who misspelt its address wants to know it soon. */
  start: { forMs: 30_000, pauseMs: 500 },
  /** Configuration documents are nested a dozen levels; SLD filters a few more. */
  maxDepth: 100,
  /** A style of 10 MB has about as many elements; more is an attack. */
  maxNodes: 500_000,
  login: {
    windowMs: 60_000,
    perAccountAndAddress: 10,
    perAddress: 100,
    perAccount: 200,
    accountDelayMs: 1_000,
  },
  /** Talking to one directory: a login takes milliseconds, and a directory has other servers to talk to. */
  ldap: {
    maxConnections: 16,
    maxWaiting: 5_000,
    /** People who open a page send several requests, and then none. */
    idleMs: 30_000,
  },
  /** Forgetting what is older than the history is to be kept. */
  history: {
    /** Nobody waits for it, and a server that has just started has other things to do. */
    firstAfterMs: 300_000,
    /** History is kept by the day. */
    everyMs: 86_400_000,
    /** A step takes as long as a small change. */
    entriesPerStep: 100,
    /** A million entries take half an hour like this, and those who write notice nothing of it. */
    pauseMs: 200,
  },
  /** Forgetting replies that were kept for a day for those who ask again. */
  keptReplies: { firstAfterMs: 600_000, everyMs: 3_600_000, entriesPerStep: 500, pauseMs: 200 },
  /** How long a client may take nothing of its reply: on the worst of lines something arrives within a minute. */
  sendTimeoutMs: 60_000,
  /** Who follows the events and lost the right to is gone within 5 seconds. */
  rightsCheckMs: 2_000,
  /** Following the changes. */
  events: {
    /** Proxies give up a connection that is silent for a minute; clients are promised a word every 15 seconds. */
    keepAliveMs: 12_000,
  },
  /** Posting events to webhooks. */
  webhooks: {
    /** Receivers note what they hear and work later. */
    timeoutMs: 10_000,
    firstRetryMs: 1_000,
    longestRetryMs: 300_000,
  },
  /** What collections tell of the times in their data, which some data is slow to tell. */
  extents: { patienceMs: 300, budgetMs: 5_000 },
  /** Copies of shared files on a node: who reads one has begun within this time. */
  fileCache: { graceMs: 900_000 },
  /** Work that one of several nodes does for all: a pause of half a minute harms nobody, and a dead node is soon known. */
  claims: { claimMs: 20_000, renewMs: 5_000 },
  /** How often nodes tell how far they are with jobs that make tiles: people watch that. */
  tileJobsMs: 2_000,
  /** A look at the machine costs 3 ms; people watch a page of it, and nothing decides by it. */
  systemSampleMs: 5_000,
  /** URLs the server is asked to open. */
  url: {
    /** Longer ones are refused by many servers, and every URL check looks at each character. */
    maxLength: 2_048,
    /** Browsers stop at 20; services behind a moved address need one or two. */
    maxRedirects: 5,
    /** From the first look at the URL to the last byte, unless the caller knows better: a large raster on a slow line. */
    timeoutMs: 300_000,
    /** How long the other side may say nothing. */
    idleTimeoutMs: 30_000,
    /** Unless the caller knows better: as much as an archive may inflate to. */
    maxBytes: 17_179_869_184,
    /** Ten times what servers send. */
    maxHeaderBytes: 16_384,
  },
  /** ZIP archives of clients. */
  archive: {
    /** A mosaic of a year in hours has 8,760 granules. */
    maxEntries: 20_000,
    /** 4 GiB: the largest file a shapefile or a classic GeoTIFF can be made of, twice. */
    maxEntryBytes: 8_589_934_592,
    /** 16 GiB in all; beyond it, put the files on the server and name them with `external`. */
    maxTotalBytes: 17_179_869_184,
    /** Inflated to packed bytes of an entry: text and empty rasters reach 100, bombs 1,000. */
    maxRatio: 200,
    /** Below this much an entry may be packed as well as it likes: a page of zeros is no attack. */
    ratioFromBytes: 10_485_760,
    /** What file systems give a name, and a path with room for the folder it is unpacked in. */
    maxNameBytes: 255,
    maxPathBytes: 1_024,
    /** Folders in folders; data sets use two or three. */
    maxDepth: 20,
  },
  /** Tiles in memory beside those on the disk: what one map shows at a time is a hundred of them. */
  tileMemoryBytes: 33_554_432,
  /** Whoever saves a store hears whether its data can be reached: a near database answers in milliseconds. */
  storeProbeMs: 2_000,
  /** Threads for work that would keep all others waiting: reading, converting and drawing styles. */
  workers: {
    /** The least that we run on has two cores; a thread more would only take turns with the others. */
    maxThreads: 2,
    /** Short tasks pass long ones in it. */
    extraThreads: 1,
    /** Large styles are read some at a time by hand, or hundreds by a script that waits for each. */
    maxWaiting: 100,
    /** The largest style takes 3 s, and 25 s was seen where eight others wanted the same two cores. */
    deadlineMs: 60_000,
    /** The densest style of the largest size takes two thirds of it. */
    maxMemoryMegabytes: 1_024,
    /** Of a style nearly all is new, and used up soon: with less room it would be copied before. */
    maxYoungMegabytes: 96,
    /** A new thread takes 0.2 s, and its first style as long again. */
    idleMs: 60_000,
  },
  /**
   * Threads for data whose library lets nothing else run while it works: GeoPackages. They are others than those above,
   * since an import keeps one for reading and one for writing as long as it lasts.
   */
  dataWorkers: {
    /** Twice what an import keeps: those who look at data meanwhile do not wait for it. */
    maxThreads: 4,
    /** So that one store may keep three, and one client two of them, while another client reads the same store. */
    extraThreads: 2,
    maxWaiting: 200,
    /** For one batch of features or one description; the deadline of stores is the operator's to set. */
    deadlineMs: 60_000,
    /** A batch of features has a megabyte, and one geometry 256 at most. */
    maxMemoryMegabytes: 1_024,
    /** Nothing of a batch outlives it: little room is cleared soon, and as quickly. */
    maxYoungMegabytes: 6,
    idleMs: 60_000,
  },
  /** Threads that evaluate filters which take longer than a moment: other threads would wait for them, or they for others. */
  filterWorkers: {
    /** The least that we run on has two cores; a thread more would only take turns with the others. */
    maxThreads: 2,
    /** Short tasks pass long ones in it. */
    extraThreads: 1,
    /** Each reading has two batches under way at most. */
    maxWaiting: 100,
    /** Never used: each batch has a deadline of its own, and each reading a limit of CPU time. */
    deadlineMs: 60_000,
    /** The values of a batch, one geometry of 256 MB among them, and the largest filter made ready eight times. */
    maxMemoryMegabytes: 512,
    /** A new thread takes a tenth of a second. */
    idleMs: 60_000,
  },
  /** Threads that unpack uploads. */
  unpackWorkers: {
    /** Two entries of an archive are inflated at once; more archives would only take turns. */
    maxThreads: 2,
    extraThreads: 1,
    maxWaiting: 100,
    /** The limits of archives bound what is done: the largest takes some minutes. */
    deadlineMs: 600_000,
    /** Buffers are not of the heap: what is left is a list of files. */
    maxMemoryMegabytes: 256,
    /** Scripts upload one after the other; the buffers that a thread has used go with it. */
    idleMs: 5_000,
  },
  /** Threads that read the headers of files that are harvested, so that those who look at data do not wait for them. */
  harvestWorkers: {
    /** On two processors a second one is no faster, since the index is written beside it, and takes 30 MB. */
    maxThreads: 1,
    /** Each harvest has three sets of files under way. */
    maxWaiting: 100,
    /** For the headers of one set of files; a harvest ends when its files do, or when its client is gone. */
    deadlineMs: 600_000,
    /** Headers of a hundred files; a NetCDF file is read by a library with memory of its own. */
    maxMemoryMegabytes: 512,
    /** Nothing of a header outlives its batch: little room is cleared soon, and as quickly. */
    maxYoungMegabytes: 6,
    idleMs: 30_000,
  },
  /** Threads that encode features for clients: not those that read them, which would wait for each other. */
  encodeWorkers: {
    maxThreads: 2,
    /** Never used: a thread hosts many documents, and no more hosts are started than there are threads. */
    maxWaiting: 2,
    /** For what is computed between two batches; a document ends when its features do, or when its client is gone. */
    deadlineMs: 600_000,
    /** A batch of features has some megabytes, and one geometry 256 at most. */
    maxMemoryMegabytes: 1_024,
    idleMs: 30_000,
  },
  /** Documents of features that the threads above encode. */
  encodings: {
    /** In one thread. Each holds about a megabyte of features and bytes; slow clients hold that for as long as they read. */
    encodings: 100,
    /** A batch of features takes milliseconds, the largest geometry or GeoPackage some seconds, on a busy machine ten times that. */
    stepMs: 60_000,
  },
  /** Maps that are read, painted or encoded at once. */
  mapsUnderWay: {
    /** Twice as many as there are threads: while a map is painted, another is read. */
    places: 4,
    /** Those with a thread, and one whose source is slow. */
    extraPlaces: 4,
    /** Browsers ask for a dozen tiles at once; a map behind more than a hundred others is not waited for. */
    maxWaiting: 200,
  },
  /** Threads that paint maps, while the main thread reads their features. */
  mapWorkers: {
    /** The least that we run on has two cores; a thread more would only take turns with the others. */
    maxThreads: 2,
    /** Short maps pass long ones in it. */
    extraThreads: 1,
    /** Never used: the places of maps are taken before. */
    maxWaiting: 2,
    /** For one batch of features; the time for a map is set with its request. */
    deadlineMs: 60_000,
    /** Pictures are not of the heap; styles, labels and a batch of features are. */
    maxMemoryMegabytes: 512,
    /** A new thread takes a tenth of a second. */
    idleMs: 60_000,
  },
  /** Threads that read and write the index of granules. */
  granuleWorkers: {
    /** One writes, while others look at pages of it. */
    maxThreads: 2,
    extraThreads: 1,
    maxWaiting: 100,
    /** A page out of a million takes milliseconds, and a stretch of them some ten. */
    deadlineMs: 60_000,
    /** To make the index of a large mosaic takes minutes. */
    maxComputingMs: 600_000,
    /** A batch of granules has some megabytes. */
    maxMemoryMegabytes: 256,
    /** Nothing of a batch outlives it: little room is cleared soon, and as quickly. */
    maxYoungMegabytes: 4,
    idleMs: 30_000,
  },
  /** Styles that clients send, and pictures of them. */
  style: {
    /** Ten times the largest that people write. */
    maxContentBytes: 10_485_760,
    /** A hundred images of a megabyte. */
    maxPackageBytes: 104_857_600,
    /** Pictures and packages that are made at once: each takes up to some hundred megabytes. */
    maxRenderings: 2,
    /** For all the remote graphics of one picture together: somebody looks at a page and waits. */
    graphicsTimeoutMs: 3_000,
    /** Ten times a large symbol. */
    maxGraphicBytes: 2_097_152,
  },
  /** Files that no record and no history names. */
  /**
   * Room that is kept on the disk for deletions. Deleting a store with some layers writes a few hundred kilobytes; on small
   * disks it is a sixteenth of them. It is written soon after the start, and again when there is room after it was needed.
   */
  diskReserve: { bytes: 8_388_608, share: 1 / 16, firstMs: 3_000, everyMs: 10_000 },
  /** How often a purge is tried again that had to leave bytes because an upload of the same bytes was under way. */
  purgeRetryMs: 60_000,
  fileCollection: {
    /** A server that has just started has better things to do. */
    firstMs: 300_000,
    /** What is collected was seldom asked for again; an hour more on the disk hurts nobody. */
    everyMs: 3_600_000,
    /** Longer than any run takes, and than clocks of machines differ. */
    graceMs: 3_600_000,
  },
  /** 16 GiB: as much as an archive may inflate to. */
  maxUploadBytes: 17_179_869_184,
  /** Sources of vector data that stay open; a database has ten connections at most, so this many are a thousand. */
  maxOpenSources: 100,
  /** 1 GiB of indexes over files: those of forty million features. */
  maxIndexBytes: 1_073_741_824,
  /** Directories of the server that clients name. */
  directory: {
    /** Ten years of hourly granules, with their sidecar files. */
    maxEntries: 200_000,
    maxDepth: 50,
  },
} as const;
