package screen

import (
	"slices"
	"strings"
	"sync"
)

// A letter and its marks are the same text in one character or apart: keyboards, file systems and servers differ in which
// they write. This is Unicode's canonical form C for what is written that way; a rare sign that only has two code points
// stays what it is.

// joinMarks puts letters and their marks into one character wherever there is one.
func joinMarks(s string) string {
	if !strings.ContainsFunc(s, attaches) {
		return s // nothing stands apart
	}
	var apart []rune
	for _, r := range s {
		apart = part(apart, r)
	}
	for i := 0; i < len(apart); i++ { // marks of one letter have an order
		end := i
		for end < len(apart) && classOf(apart[end]) > 0 {
			end++
		}
		if end > i {
			slices.SortStableFunc(apart[i:end], func(a, b rune) int { return classOf(a) - classOf(b) })
			i = end
		}
	}
	var out []rune
	letter, last := -1, 0 // where the letter is that marks go to, and the class of the last mark that did not
	for _, r := range apart {
		class := classOf(r)
		if letter >= 0 && (last < class || last == 0 && letter == len(out)-1) {
			if c, ok := composed(out[letter], r); ok {
				out[letter] = c
				continue
			}
		}
		if class == 0 {
			letter = len(out)
		}
		last = class
		out = append(out, r)
	}
	return string(out)
}

// attaches reports whether r may stand apart from the letter it belongs to.
func attaches(r rune) bool {
	return r >= 0x300 && (r >= vowel && r < vowel+vowels || r > tail && r < tail+tails || marks().class[r] != nil)
}

func classOf(r rune) int {
	if r < 0x300 {
		return 0
	}
	if c := marks().class[r]; c != nil {
		return *c
	}
	return 0
}

// Korean syllables are made of a lead, a vowel and perhaps a tail, by arithmetic.
const (
	syllable, lead, vowel, tail     = 0xac00, 0x1100, 0x1161, 0x11a7
	leads, vowels, tails, syllables = 19, 21, 28, 19 * 21 * 28
)

// part takes a character apart into its letter and marks.
func part(into []rune, r rune) []rune {
	if r >= syllable && r < syllable+syllables {
		i := r - syllable
		into = append(into, lead+i/(vowels*tails), vowel+i%(vowels*tails)/tails)
		if i%tails > 0 {
			into = append(into, tail+i%tails)
		}
		return into
	}
	if p, ok := marks().parts[r]; ok {
		return append(part(into, p[0]), p[1])
	}
	return append(into, r)
}

func composed(a, b rune) (rune, bool) {
	switch {
	case a >= lead && a < lead+leads && b >= vowel && b < vowel+vowels:
		return syllable + ((a-lead)*vowels+(b-vowel))*tails, true
	case a >= syllable && a < syllable+syllables && (a-syllable)%tails == 0 && b > tail && b < tail+tails:
		return a + b - tail, true
	}
	c, ok := marks().whole[[2]rune{a, b}]
	return c, ok
}

type markTable struct {
	class map[rune]*int // of marks that there are composed letters with
	whole map[[2]rune]rune
	parts map[rune][2]rune
}

var marks = sync.OnceValue(func() *markTable {
	t := &markTable{class: map[rune]*int{}, whole: map[[2]rune]rune{}, parts: map[rune][2]rune{}}
	for _, m := range withMarks {
		t.class[m.mark] = &m.class
		letters := []rune(m.pairs)
		for i := 0; i+1 < len(letters); i += 2 {
			t.whole[[2]rune{letters[i], m.mark}] = letters[i+1]
			t.parts[letters[i+1]] = [2]rune{letters[i], m.mark}
		}
	}
	return t
})

// withMarks are the marks, their combining classes, and the letters with and without them in turn.
var withMarks = []struct {
	mark  rune
	class int
	pairs string
}{
	{0x0300, 230, "AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜNǸnǹЕЀИЍеѐиѝĒḔēḕŌṐōṑWẀwẁÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲyỳἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛἠἢἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒὑὓὙὛὠὢὡὣὨὪὩὫαὰεὲηὴιὶοὸυὺωὼΑᾺΕῈΗῊ᾿῍ϊῒΙῚ῾῝ϋῢΥῪ¨῭ΟῸΩῺ"},
	{0x0301, 230, "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘGǴgǵÅǺåǻÆǼæǽØǾøǿ¨΅ΑΆΕΈΗΉΙΊΟΌΥΎΩΏϊΐαάεέηήιίϋΰοόυύωώϒϓГЃКЌгѓкќÇḈçḉĒḖēḗÏḮïḯKḰkḱMḾmḿÕṌõṍŌṒōṓPṔpṕŨṸũṹWẂwẃÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứἀἄἁἅἈἌἉἍἐἔἑἕἘἜἙἝἠἤἡἥἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝὠὤὡὥὨὬὩὭ᾿῎῾῞"},
	{0x0302, 230, "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑẠẬạậẸỆẹệỌỘọộ"},
	{0x0303, 230, "AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ"},
	{0x0304, 230, "AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖÄǞäǟȦǠȧǡÆǢæǣǪǬǫǭÖȪöȫÕȬõȭȮȰȯȱYȲyȳИӢиӣУӮуӯGḠgḡḶḸḷḹṚṜṛṝαᾱΑᾹιῑΙῙυῡΥῩ"},
	{0x0306, 230, "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭУЎИЙийуўЖӁжӂАӐаӑЕӖеӗȨḜȩḝẠẶạặαᾰΑᾸιῐΙῘυῠΥῨ"},
	{0x0307, 230, "CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘrṙSṠsṡŚṤśṥŠṦšṧṢṨṣṩTṪtṫWẆwẇXẊxẋYẎyẏſẛ"},
	{0x0308, 230, "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸΙΪΥΫιϊυϋϒϔЕЁІЇеёіїАӒаӓӘӚәӛЖӜжӝЗӞзӟИӤиӥОӦоӧӨӪөӫЭӬэӭУӰуӱЧӴчӵЫӸыӹHḦhḧÕṎõṏŪṺūṻWẄwẅXẌxẍtẗ"},
	{0x0309, 230, "AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ"},
	{0x030a, 230, "AÅaåUŮuůwẘyẙ"},
	{0x030b, 230, "OŐoőUŰuűУӲуӳ"},
	{0x030c, 230, "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚGǦgǧKǨkǩƷǮʒǯjǰHȞhȟ"},
	{0x030f, 230, "AȀaȁEȄeȅIȈiȉOȌoȍRȐrȑUȔuȕѴѶѵѷ"},
	{0x0311, 230, "AȂaȃEȆeȇIȊiȋOȎoȏRȒrȓUȖuȗ"},
	{0x0313, 230, "αἀΑἈεἐΕἘηἠΗἨιἰΙἸοὀΟὈυὐωὠΩὨρῤ"},
	{0x0314, 230, "αἁΑἉεἑΕἙηἡΗἩιἱΙἹοὁΟὉυὑΥὙωὡΩὩρῥΡῬ"},
	{0x031b, 216, "OƠoơUƯuư"},
	{0x0323, 220, "BḄbḅDḌdḍHḤhḥKḲkḳLḶlḷMṂmṃNṆnṇRṚrṛSṢsṣTṬtṭVṾvṿWẈwẉZẒzẓAẠaạEẸeẹIỊiịOỌoọƠỢơợUỤuụƯỰưựYỴyỵ"},
	{0x0324, 220, "UṲuṳ"},
	{0x0325, 220, "AḀaḁ"},
	{0x0326, 220, "SȘsșTȚtț"},
	{0x0327, 202, "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţEȨeȩDḐdḑHḨhḩ"},
	{0x0328, 202, "AĄaąEĘeęIĮiįUŲuųOǪoǫ"},
	{0x032d, 220, "DḒdḓEḘeḙLḼlḽNṊnṋTṰtṱUṶuṷ"},
	{0x032e, 220, "HḪhḫ"},
	{0x0330, 220, "EḚeḛIḬiḭUṴuṵ"},
	{0x0331, 220, "BḆbḇDḎdḏKḴkḵLḺlḻNṈnṉRṞrṟTṮtṯZẔzẕhẖ"},
	{0x0338, 1, "←↚→↛↔↮⇐⇍⇔⇎⇒⇏∃∄∈∉∋∌∣∤∥∦∼≁≃≄≅≇≈≉=≠≡≢≍≭<≮>≯≤≰≥≱≲≴≳≵≶≸≷≹≺⊀≻⊁⊂⊄⊃⊅⊆⊈⊇⊉⊢⊬⊨⊭⊩⊮⊫⊯≼⋠≽⋡⊑⋢⊒⋣⊲⋪⊳⋫⊴⋬⊵⋭"},
	{0x0342, 230, "ἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯαᾶ¨῁ηῆ᾿῏ιῖϊῗ῾῟υῦϋῧωῶ"},
	{0x0345, 240, "ἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜἭᾝἮᾞἯᾟὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭὮᾮὯᾯὰᾲαᾳάᾴᾶᾷΑᾼὴῂηῃήῄῆῇΗῌὼῲωῳώῴῶῷΩῼ"},
	{0x0653, 230, "اآ"},
	{0x0654, 230, "اأوؤيئەۀہۂےۓ"},
	{0x0655, 220, "اإ"},
	{0x093c, 7, "नऩरऱळऴ"},
	{0x09be, 0, "েো"},
	{0x09d7, 0, "েৌ"},
	{0x0b3e, 0, "େୋ"},
	{0x0b56, 0, "େୈ"},
	{0x0b57, 0, "େୌ"},
	{0x0bbe, 0, "ெொேோ"},
	{0x0bd7, 0, "ஒஔெௌ"},
	{0x0c56, 91, "ెై"},
	{0x0cc2, 0, "ೆೊ"},
	{0x0cd5, 0, "ಿೀೆೇೊೋ"},
	{0x0cd6, 0, "ೆೈ"},
	{0x0d3e, 0, "െൊേോ"},
	{0x0d57, 0, "െൌ"},
	{0x0dca, 9, "ෙේොෝ"},
	{0x0dcf, 0, "ෙො"},
	{0x0ddf, 0, "ෙෞ"},
	{0x102e, 0, "ဥဦ"},
	{0x1b35, 0, "ᬅᬆᬇᬈᬉᬊᬋᬌᬍᬎᬑᬒᬺᬻᬼᬽᬾᭀᬿᭁᭂᭃ"},
	{0x3099, 8, "かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼうゔゝゞカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボウヴワヷヰヸヱヹヲヺヽヾ"},
	{0x309a, 8, "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"},
	{0x110ba, 7, "𑂙𑂚𑂛𑂜𑂥𑂫"},
	{0x11127, 0, "𑄱𑄮𑄲𑄯"},
	{0x1133e, 0, "𑍇𑍋"},
	{0x11357, 0, "𑍇𑍌"},
	{0x114b0, 0, "𑒹𑒼"},
	{0x114ba, 0, "𑒹𑒻"},
	{0x114bd, 0, "𑒹𑒾"},
	{0x115af, 0, "𑖸𑖺𑖹𑖻"},
	{0x11930, 0, "𑤵𑤸"},
}
