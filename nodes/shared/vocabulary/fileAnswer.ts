/** What the API reference says about a file. */
export interface FileAnswer {
	/** Name for a file that the service does not name: `report` gives `report-7.pdf`. */
	name: string;
	/** The only media type that it can have. */
	mediaType?: string;
	extension?: string;
}
