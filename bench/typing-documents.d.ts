/** Documents to type in: 5,000 lines that make 100,000 chunk references, and one whose 100,000 keys fit no array. */
export interface TypingDocument {
    readonly name: string;
    readonly text: string;
    /** One types after this text, which stands there once: inside a URL, or a template of all URLs. */
    readonly typeAfter: string;
}
/** 1,280 references on four arrays, and two gens that make 50,000 each of the first two. */
export declare function gridDocument(): TypingDocument;
/** The specification's example, whose keys belong to no array. */
export declare function strayDocument(stop?: number): TypingDocument;
