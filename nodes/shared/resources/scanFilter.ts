import { oneOf } from '../describe';

/** The result of the malware scan; the first value is the default. */
export const scanFilter = (records: string, values: string[]) =>
	oneOf('scanner_status', values, `Only ${records} with this result of the malware scan`, {
		displayName: 'Malware Scan Result',
	});
