/** Access to the files below one folder: what {@linkcode fileResources} needs of a platform. */
export interface FileSource {
  /**
   * Finds the files below the folder, in a stable order; links are not followed.
   *
   * @param isServed Asked of every folder and file; what is not served is neither entered nor told.
   */
  list(isServed: (path: string) => boolean): AsyncIterable<ListedFile>;
  /**
   * Opens a file, through links if there are any.
   *
   * @param path Where it is, from the folder: segments joined by `/`, none of them `.` or `..`.
   * @returns The open file, or `undefined` where there is none or it is no file.
   */
  open(path: string): Promise<OpenFile | undefined>;
}

/** A file that was found. */
export interface ListedFile {
  /** Where it is, from the folder. */
  readonly path: string;
  /** Its size in bytes. */
  readonly size: number;
}

/** A file that is open; whoever opened it closes it. */
export interface OpenFile {
  /**
   * Where it really is, every link resolved: from the folder, or with a `..` where that is outside.
   * It is told of the open file and not of its name, so that nobody can swap one for the other.
   */
  readonly realPath: string;
  /** Its size in bytes. */
  readonly size: number;
  /** Reads it to its end. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Closes it. */
  close(): Promise<void>;
}
