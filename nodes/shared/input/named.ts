/** The ids of records that can be named. */
export const NAMED_IDS = [
	'clientId',
	'reportTemplateId',
	'scheduleId',
	'senderEmailId',
	'siteId',
	'tagId',
	'teamMemberId',
] as const;

export type NamedId = (typeof NAMED_IDS)[number];

export const isNamedId = (name: string): name is NamedId => NAMED_IDS.some((each) => each === name);

/** What a text can be. `any` is an ID, a name or, of a site, a URL. */
export type NamedBy = 'name' | 'id' | 'any';

/** Ten or more hexadecimal digits, or a UUID, with a digit in it. Source: the examples of Part A and B. */
const USUAL_ID = /^(?=.*\d)([\da-f]{10,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Source: Part A, 2.15. */
const TAG_ID = /^\d+$/;

/** Whether a text has the usual form of such an ID, so that only this ID can be meant. */
export const looksLikeId = (of: NamedId, text: string) =>
	(of === 'tagId' ? TAG_ID : USUAL_ID).test(text);

/** Whether a text can only be an ID and needs no lookup. People call tags "2024". */
export const isNoName = (of: NamedId, text: string) => of !== 'tagId' && looksLikeId(of, text);
