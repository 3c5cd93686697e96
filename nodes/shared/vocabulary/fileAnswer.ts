/** What the reference promises of a file. */
export interface FileAnswer {
	/** The file's name where the service gives none, without the id: `report` gives `report-7.pdf`. */
	name: string;
	/** The only media type that it can have. */
	mediaType?: string;
	extension?: string;
}
