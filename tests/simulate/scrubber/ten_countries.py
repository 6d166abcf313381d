"""Sentences of ten countries with what is personal planted in them, made by seed.

Names are common ones of each country, drawn from lists of their own: half of the given names are
none that the scrubber lists. Every sentence is one that a customer might write.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

KINDS = ("mail", "phone", "date", "place", "number", "key", "name with a cue", "name alone")


@dataclass(frozen=True)
class Planted:
    """A sentence, and what in it is personal, of which kind; "" where nothing is."""

    country: str
    text: str
    kind: str
    value: str


@dataclass(frozen=True)
class Country:
    """What sentences are made of; `#` stands for a digit, braces hold what is personal."""

    given: str
    family: str
    phones: str
    dates: str
    places: str
    numbers: str
    cued: str
    bare: str
    frames: str
    plain: str
    family_first: bool = False
    joint: str = " "


COUNTRIES = {
    "US": Country(
        "Tyler Madison Jaxon Brianna Emily Michael Jessica DeShawn Kaylee Robert",
        "Johnson Ramirez O'Connor Patel Kowalski Washington Nguyen Baker",
        "(###) ###-####|###-###-####|+1 ### ### ####|###.###.####",
        "03/14/19##|March 3, 19##|0#/1#/20##",
        "#2## Maple Street|4# Elm Ave|1### N Oak Drive, Apt 4|77B Baker Road",
        "SSN {###-##-####}|order {AB-#####}|card {4111 #### #### ####}|account {########}",
        "My name is {}.|I'm {} and I need help.|Regards, {}|This is {}, calling again.",
        "Yesterday {} called about the bill.|Please give {} access.|I gave it to {} last week.",
        "You can reach me: {}.|It says {} on the form.|Please note {} for later.",
        "The app crashed twice in 2021.|It cost 12 dollars and 50 cents.|Step 3 of 12 fails.",
    ),
    "GB": Country(
        "Alfie Imogen Rhys Nigel Oliver Charlotte Poppy Harriet Callum Sioned",
        "Smith Featherstone McAllister Okafor Hughes Ashworth Singh Bell",
        "0#### ######|+44 7### ######|020 #### ####|(01##) ### ####",
        "14/03/19##|3 March 19##|3rd of May 20##",
        "2#B Church Lane|1# Kings Road, Flat 2|8 High Street|SW1A 1AA",
        "NI number {QQ 12 34 56 C}|booking {GB######}|account {########}|ref {######}",
        "My name is {}.|I am {}.|Best regards, {}|I spoke to Mr {} about it.",
        "Yesterday {} rang about the bill.|Could {} have the key?|I sent it to {} last week.",
        "My details: {}.|It says {} on the form.|Please note {} for later.",
        "The kettle broke in 2021.|It cost 12 pounds.|Chapter 4 says nothing of that.",
    ),
    "DE": Country(
        "Jürgen Annegret Torben Sabine Lukas Heike Wiebke Hannes Björn Claudia",
        "Müller Schmidt Groß Krüger Öztürk Lehmann Baumgärtner Voigt",
        "0171 #######|+49 30 ########|030/#######|0##1–######",
        "14.03.19##|3. März 19##|2. Mai 20##",
        "Musterstraße 1#a|Lindenweg 4|Hauptstr. 1#|Goetheplatz 2",
        "IBAN {DE89 3704 0044 0532 01## ##}|Bestellung {AB-#####}|Kundennummer {########}",
        "Ich heiße {}.|Mein Name ist {}.|Mit freundlichen Grüßen, {}|Frau {} hat angerufen.",
        "Gestern hat {} angerufen.|Bitte gib {} Zugang.|Ich habe es {} geschickt.",
        "Meine Angaben: {}.|Im Formular steht {}.|Bitte {} notieren.",
        "Die App ist 2021 abgestürzt.|Das kostet 12 Euro.|Schritt 3 von 12 geht nicht.",
    ),
    "FR": Country(
        "Élodie Thibault Aurélien Camille Océane Pierre Maëlys Loïc Chloé Baptiste",
        "Lefèvre Dubois Garnier Moreau Benali Fontaine Rousseau Petit",
        "06 ## ## ## ##|+33 1 ## ## ## ##|01.##.##.##.##|(0)6 ## ## ## ##",
        "14/03/19##|le {3 mars 19##}|2 mai 20##",
        "1# bis rue de Rivoli|4 avenue Foch|2# boulevard Voltaire|8 place Bellecour",
        "IBAN {FR76 3000 6000 01## #### #### #89}|commande {AB-#####}|dossier {########}",
        "Je m'appelle {}.|Mon nom est {}.|Cordialement, {}|Madame {} a appelé.",
        "Hier {} a téléphoné.|Donnez accès à {} svp.|Je l'ai envoyé à {}.",
        "Mes coordonnées : {}.|Il y a écrit {}.|Veuillez noter {}.",
        "L'appli plante depuis 2021.|Cela coûte 12 euros.|Voir le chapitre 4.",
    ),
    "ES": Country(
        "José Lucía Iker Montserrat Álvaro Nerea Carlos Itziar Begoña Pablo",
        "García Fernández Etxeberria Muñoz Ibáñez Castillo Navarro Ríos",
        "6## ### ###|+34 6## ## ## ##|91 ### ## ##|+34–6##–###–###",
        "14/03/19##|3 de marzo de 19##|2 de mayo de 20##",
        "Calle Mayor 1#|Avenida de la Paz, 4|plaza España 2|Paseo del Prado 1#",
        "DNI {########Z}|pedido {AB-#####}|IBAN {ES91 2100 0418 45## #### ##32}",
        "Me llamo {}.|Mi nombre es {}.|Saludos, {}|La señora {} llamó ayer.",
        "Ayer {} llamó por la factura.|Dale acceso a {} por favor.|Se lo di a {}.",
        "Mis datos: {}.|Pone {} en el formulario.|Anote {} por favor.",
        "La aplicación falla desde 2021.|Cuesta 12 euros.|El paso 3 no funciona.",
    ),
    "PL": Country(
        "Łukasz Małgorzata Piotr Agnieszka Zbigniew Anna Grażyna Bartosz Ewelina Kinga",
        "Nowak Wiśniewska Zieliński Wójcik Dąbrowska Lis Mazur Kaczmarek",
        "+48 ### ### ###|### ### ###|22 ### ## ##|0048 ### ### ###",
        "14.03.19##|3 marca 19##|2 maja 20##",
        "ul. Marszałkowska 1#|ul. Długa 4/2|Aleja Róż 8|os. Tysiąclecia 1#",
        "PESEL {###########}|zamówienie {AB-#####}|{PL61 1090 1014 0000 0712 1981 28##}",
        "Nazywam się {}.|Mam na imię {}.|Pozdrawiam, {}|Pani {} dzwoniła.",
        "Wczoraj {} pytała o fakturę.|Proszę dać {} dostęp.|Wysłałem to, a {} czeka.",
        "Moje dane: {}.|W formularzu jest {}.|Proszę zapisać {}.",
        "Aplikacja nie działa od 2021.|To kosztuje 12 złotych.|Krok 3 nie działa.",
    ),
    "RU": Country(
        "Иван Ольга Святослав Дмитрий Аглая Татьяна Ринат Екатерина Прохор Мария",
        "Петров Смирнова Ковалёв Соколова Гусев Абрамова Лебедев Орлова",
        "+7 9## ###-##-##|8 (9##) ### ## ##|8-9##-###-##-##|+7(495)###-##-##",
        "14.03.19##|3 марта 19##|2 мая 20##",
        "ул. Ленина, д. 1#|улица Пушкина 4|пр. Мира, 2#|ул. Садовая 8, кв. 15",
        "ИНН {############}|заказ {AB-#####}|паспорт {45## ######}|карта {4111 #### #### ####}",
        "Меня зовут {}.|С уважением, {}|Здравствуйте, {}!|Мой коллега {} не может войти.",
        "Вчера {} звонила по счёту.|Дайте доступ, {} ждёт.|Отправил, {} получит.",
        "Мои данные: {}.|В анкете указано {}.|Запишите {}.",
        "Приложение не работает с 2021 года.|Это стоит 12 рублей.|Шаг 3 не работает.",
    ),
    "CN": Country(
        "伟 娜 小明 静怡 强 婷婷 建国 思远 丽 浩然",
        "王 李 张 陈 欧阳 郭 邓 谭",
        "1## #### ####|1##########|+86 1## #### ####|010-########",
        "19##年3月14日|20##年11月2日|19##-03-14",
        "北京市朝阳区建国路8#号|上海市南京西路1#号|广州市天河路4号|深圳市福田区深南大道10#号",
        "订单{AB-#####}|身份证{11010119900307####}|卡号{4111 #### #### ####}|账号{############}",
        "我叫{}。|我的名字是{}。|{}女士打来电话。|联系人:{}，请回电。",
        "昨天{}来过。|请给{}权限。|已经寄给{}了。",
        "我的信息：{}。|表格上写着{}。|请记下{}。",
        "应用从2021年开始崩溃。|价格是12元。|第3步失败。",
        family_first=True,
        joint="",
    ),
    "JP": Country(
        "太郎 花子 翔 さくら 健一 美咲 大輔 結衣 直樹 陽子",
        "田中 鈴木 高橋 渡辺 小林 山本 斎藤 長谷川",
        "090-####-####|03-####-####|+81 90 #### ####|０９０ー####ー####",
        "19##年3月14日|20##年11月2日|19##/03/14",
        "東京都港区六本木6丁目1#番|大阪市北区梅田町1#番地|横浜市西区みなと町4号|京都市中京区烏丸町2#番",
        "注文{AB-#####}|マイナンバー {############}|カード{4111 #### #### ####}|会員番号{########}",
        "私は{}です。|お名前:{}。|{}様からお電話です。|{}さんに送りました。",
        "昨日{}が来ました。|担当は{}でした。|これは{}の分です。",
        "連絡先は {} です。|用紙には {} とあります。|{} をメモしてください。",
        "アプリは2021年から落ちます。|価格は12ドルです。|手順3で失敗します。",
        family_first=True,
        joint="",
    ),
    "EG": Country(
        "محمد فاطمة شريف نورهان أحمد ملك سيف جنى مريم عمر",
        "العلي المصري الشاذلي منصور النجار البدوي حجازي السيد",
        "010########|+20 10 #### ####|٠١٠########|02-########",
        "14/03/19##|19##-03-14|2/5/20##",
        "شارع التحرير 1#|1# شارع الهرم|شارع طلعت حرب 4|8 شارع رمسيس",
        "طلب {AB-#####}|رقم قومي {##############}|بطاقة {4111 #### #### ####}|حساب {############}",
        "اسمي {}.|السيد {} اتصل.|زوجتي {} لا تستطيع الدخول.|الدكتور {} كتب لي.",
        "أمس اتصل {} بخصوص الفاتورة.|أعطوا {} صلاحية.|أرسلته إلى {} أمس.",
        "بياناتي: {} شكرا.|مكتوب {} في الاستمارة.|سجلوا {} من فضلكم.",
        "التطبيق معطل منذ 2021.|السعر 12 جنيها.|الخطوة 3 لا تعمل.",
    ),
}


def ten_countries(seed: int = 0, each: int = 25) -> Iterator[Planted]:
    """Sentences, `each` of a kind and country, and as many that hold nothing personal."""
    rng = np.random.default_rng(seed)
    for code, country in COUNTRIES.items():
        for kind in (*KINDS, ""):
            for _ in range(each):
                yield _sentence(code, country, kind, rng)


def _sentence(code: str, country: Country, kind: str, rng: np.random.Generator) -> Planted:
    def draw(options: str, by: str = "|") -> str:
        return str(rng.choice(options.split(by)))

    if kind == "":
        return Planted(code, draw(country.plain), "", "")
    if kind.startswith("name"):
        names = [draw(country.given, " "), draw(country.family, " ")]
        value = country.joint.join(names[::-1] if country.family_first else names)
        frame = draw(country.cued if kind.endswith("cue") else country.bare)
        return Planted(code, frame.format(value), kind, value)
    if kind == "mail":
        value = f"{draw('anna|jan.k|info42|m_li|sales+eu|x.y')}@{draw('firm|mail|post|shop')}"
        value += draw(".com|.co.uk|.de|.org|.io")
        value = value.replace("@", draw("@|@|@|＠| (at) "))
    elif kind == "key":
        value = _key(rng)
    else:
        value = draw(getattr(country, f"{kind}s"))
        value = "".join(str(rng.integers(10)) if sign == "#" else sign for sign in value)
    planted = re.search(r"\{(.+)\}", value)
    value = value.replace("{", "").replace("}", "")
    text = draw(country.frames).format(value)
    return Planted(code, text, kind, value if planted is None else planted[1])


def _key(rng: np.random.Generator) -> str:
    size = int(rng.choice([20, 30, 32]))
    raw = rng.bytes(size)
    return str(rng.choice([base64.b64encode(raw).decode(), raw.hex(), f"sk-{raw.hex()[:24]}"]))
