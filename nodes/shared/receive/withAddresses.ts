import type { IDataObject } from 'n8n-workflow';

/** The IDs of records for a message, each with its address where it has one: `7 (https://example.com)`. */
export const withAddresses = (records: IDataObject[]): string =>
	records
		.map(({ id, url, email }) => {
			const address = [url, email].find((each) => typeof each === 'string' && each !== '');
			return address === undefined ? String(id) : `${String(id)} (${String(address)})`;
		})
		.join(', ');
